import { Injectable, type WebSocketAdapter } from '@nestjs/common';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { MAX_FRAME_BYTES, PROTOCOL } from '../../../packages/interview-client/src/protocol/messages.js';
import { ApiError, unavailable } from '../../http/api-error.js';
import type { EdgeServer } from '../../http/edge-server.js';
import { toApiError } from '../../http/to-api-error.js';
import type { Upgrade } from '../../http/upgrade.js';
import type { AdmittedCaller } from '../session/port.js';
import { type Admission, readSocketAddress } from './admission.js';
import type { SocketMetrics } from './interview.gateway.js';
import type { Timings } from './limits.js';

/** The HTTP status of an upgrade. */
const SWITCHING = 101;

export interface SocketAdapterOptions {
  readonly server: EdgeServer;
  readonly admission: Pick<Admission, 'admit'>;
  readonly metrics: SocketMetrics;
  readonly timings: Timings;
}

/**
 * Nest's adapter for WebSockets on the edge server. Nest's built-in adapter supports fixed paths only and reads every
 * frame as JSON. This one decides before the upgrade, and passes the gateway the bare socket and its caller.
 */
@Injectable()
export class SocketAdapter implements WebSocketAdapter<WebSocketServer, WebSocket> {
  constructor(private readonly options: SocketAdapterOptions) {}

  create(): WebSocketServer {
    // The library's types lack `closeTimeout`.
    const options: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      closeTimeout: this.options.timings.closeMs,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    };
    const sockets = new WebSocketServer(options);
    this.options.server.mountUpgrades({
      takes: (target) => readSocketAddress(target) !== null,
      handler: (upgrade) => void this.receive(sockets, upgrade),
    });
    return sockets;
  }

  bindClientConnect(
    sockets: WebSocketServer,
    connected: (socket: WebSocket, admitted: AdmittedCaller) => void,
  ): void {
    sockets.on('connection', connected);
  }

  bindClientDisconnect(socket: WebSocket, disconnected: () => void): void {
    socket.once('close', disconnected);
  }

  /** The gateway's connections read their frames themselves. */
  bindMessageHandlers(): void {
    return undefined;
  }

  close(sockets: WebSocketServer): void {
    sockets.close();
  }

  private async receive(sockets: WebSocketServer, upgrade: Upgrade): Promise<void> {
    const outcome = await this.decide(upgrade);
    const { request, socket, head } = upgrade;
    if (socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    if (outcome instanceof ApiError) {
      const response = upgrade.refuse(outcome);
      response.once('finish', () => this.options.metrics.answered(response.statusCode));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      this.options.metrics.answered(SWITCHING);
      sockets.emit('connection', opened, outcome);
    });
  }

  private async decide(upgrade: Upgrade): Promise<AdmittedCaller | ApiError> {
    const { server, admission } = this.options;
    const isStopping = (): boolean => server.isDraining;
    if (isStopping()) return stopping();
    try {
      const admitted = await admission.admit(upgrade);
      return isStopping() ? stopping() : admitted;
    } catch (error) {
      return toApiError(error);
    }
  }
}

const stopping = (): ApiError => unavailable('The service is stopping. Connect again shortly.');
