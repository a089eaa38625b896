import { afterEach, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { healthCommand, healthLines, healthTable } from './command.js';
import { remoteHealth } from './remote.js';

describe('the health of a running service', () => {
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  };
  afterEach(close);

  const answering = async (status: number, body: string): Promise<URL> => {
    const server = createServer((request, response) => {
      const asked = request.url === '/base/health/ready';
      response.writeHead(asked ? status : 404, { 'content-type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`);
  };
  const components = [
    { name: 'event-store', ready: true },
    { name: 'view roles', ready: false, problem: 'It is behind.', figures: { parked: 1, reason: null } },
  ];

  it('is what an API or a projector says of all its parts', async () => {
    const ready = await answering(200, JSON.stringify({ status: 'ready', components }));
    expect(await remoteHealth(ready)).toEqual({ ready: true, components });
    const not = await answering(503, JSON.stringify({ status: 'not ready', components }));
    expect(await remoteHealth(not)).toEqual({ ready: false, components });
  });

  it('is one part for the whole where the API’s own port says no more', async () => {
    expect(await remoteHealth(await answering(200, '{"status":"ready"}'))).toEqual({
      ready: true,
      components: [{ name: 'service', ready: true }],
    });
    const body = { error: 'The service is not ready.', code: 'unavailable', requestId: 'r' };
    expect(await remoteHealth(await answering(503, JSON.stringify(body)))).toEqual({
      ready: false,
      components: [{ name: 'service', ready: false, problem: expect.stringContaining('HEALTH_PORT') }],
    });
  });

  it.each([
    [200, '{"hello":"world"}'],
    [200, '<html>'],
    [200, 'null'],
    [200, '{"components":[{"name":1}]}'],
    [200, '{"status":"ready","components":[{"name":1}]}'],
    [200, '{"status":"live"}'],
    [500, '{"status":"ready"}'],
    [503, '{"status":"ready"}'],
    [500, JSON.stringify({ components })],
  ])('is not to be had from somebody who answers %d %s', async (status, body) => {
    const asked = remoteHealth(await answering(status, body));
    await expect(asked).rejects.toThrow('not as this service does');
  });

  it('is not to be had where nobody answers', async () => {
    const address = await answering(200, '');
    close();
    await expect(remoteHealth(address)).rejects.toThrow(OperatorError);
    await expect(remoteHealth(address)).rejects.toThrow(/No answer from .*\/base\/health\/ready \(.+\)/);
  });

  it('is not to be had from an answer that breaks off: the address may be right', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '90' });
      response.write('{"status":', () => response.destroy());
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const asked = remoteHealth(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await expect(asked).rejects.toThrow(/No answer from/);
  });

  it('is asked at no address with a password, which no error shows', async () => {
    const root = new Command().exitOverride();
    healthCommand(root);
    for (const url of ['http://assay:secret@127.0.0.1:1', 'ftp://assay:secret@127.0.0.1', 'secret'])
      await expect(root.parseAsync(['node', 'assay', 'health', '--url', url])).rejects.toThrow(
        new CalledWrongly('--url must be an http or https address without a user and a password.'),
      );
  });

  it('is a row for each part, with what is known of it', () => {
    const [, behind] = healthTable(components).join('\n').split('view roles');
    expect(behind).toMatch(/NO.*It is behind\.(.|\n)*parked 1/);
    expect(behind).not.toContain('reason');
  });

  it('is one line if all is well, whatever the figures, and else only the parts that need attention', () => {
    const well = [
      { name: 'event-store', ready: true },
      { name: 'view roles', ready: true, figures: { parked: 0, reason: null, notice: null, owner: 'a/1' } },
      { name: 'clock', ready: true, figures: { notice: '' } },
    ];
    expect(healthLines(well)).toEqual(['All is well: 3 parts ready.']);
    const noticed = { name: 'disk', ready: true, figures: { notice: 'It is almost full.' } };
    const away = { name: 'mail', ready: false, problem: 'Nothing listens.' };
    for (const [unwell, shown] of [
      [noticed, /disk .* yes .*It is almost full\./],
      [away, /mail .* NO .*Nothing listens\./],
    ] as const) {
      const lines = healthLines([...well, unwell]);
      expect(lines.filter((line) => line.startsWith('│'))).toHaveLength(2);
      expect(lines.join('\n')).toMatch(shown);
      expect(lines.at(-1)).toBe('3 other parts ready. All figures: --json.');
    }
  });
});
