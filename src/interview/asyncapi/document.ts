import { Controller, Get, Inject } from '@nestjs/common';
import {
  encodeAudioFrame,
  HEADER_BYTES,
  SPEAKER,
  type Speaker,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { ERROR_CODES } from '../../../packages/interview-client/src/protocol/codes.js';
import { objectSchema } from '../../../packages/interview-client/src/protocol/fields.js';
import {
  clientMessages,
  type Declarations,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  PROTOCOL,
  serverMessages,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import { AnyObject, Type } from '../../core/json-schema.js';
import { pascalCase } from '../../core/text.js';
import { Public } from '../../http/access/access.decorator.js';
import { type Answer, json } from '../../http/answer.js';
import { type ErrorCode as HttpErrorCode, statusOf } from '../../http/api-error.js';
import { ActivityRecord } from '../../http/openapi/activity.js';
import { withReferences } from '../../http/openapi/document.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { version } from '../../process/installation.js';

import {
  clientDescriptions,
  closings,
  type Description,
  errors,
  serverDescriptions,
} from './descriptions.js';

/** A field of a binary frame’s header. */
interface HeaderField {
  readonly name: string;
  readonly type: 'u8' | 'u16' | 'u32';
  readonly offset: number;
  readonly meaning: string;
}

/** Big-endian. */
export const audioHeader: readonly HeaderField[] = [
  { name: 'speaker', type: 'u8', offset: 0, meaning: '1 the candidate, 2 the interviewer.' },
  { name: 'flags', type: 'u8', offset: 1, meaning: 'Bit 0: the turn’s last frame. The others are 0.' },
  {
    name: 'turn',
    type: 'u16',
    offset: 2,
    meaning: 'The turn of the question that is answered or spoken, from 1.',
  },
  {
    name: 'seq',
    type: 'u32',
    offset: 4,
    meaning: 'From 1 for each speaker. It continues through the whole session, across connections.',
  },
  {
    name: 'timestampMs',
    type: 'u32',
    offset: 8,
    meaning: 'The start of the frame, in milliseconds of the sender’s clock, from any origin.',
  },
];

/** An example of the layout: a frame without audio that ends its turn. */
export const exampleFrame = (speaker: Speaker): Uint8Array =>
  encodeAudioFrame({
    speaker,
    endOfTurn: true,
    turn: 3,
    seq: 413,
    timestampMs: 91_240,
    pcm: new Uint8Array(0),
  });

export const audioDescriptions = {
  'audio.candidate': {
    speaker: SPEAKER.candidate,
    summary:
      'The candidate’s speech, if `audio.transcription` is `server`. A `seq` that is stored already is ignored. A `seq` after a gap is refused with `audio_gap`.',
  },
  'audio.interviewer': {
    speaker: SPEAKER.interviewer,
    summary:
      'The question’s speech, if `audio.speech` is `server`. It is never repeated, and its `seq` can have a gap after a resume.',
  },
} as const;

/** The answer to a refused upgrade; its body is the API's error body. */
interface Refusal {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly meaning: string;
}

const refusal = (code: HttpErrorCode, meaning: string): Refusal => ({
  status: statusOf(code),
  code,
  meaning,
});

export const refusals: readonly Refusal[] = [
  refusal('validation_failed', 'The handshake is invalid, or offers subprotocols without `interview.v1`.'),
  refusal(
    'missing_token',
    'The query has no `token`, or a malformed one. The `Authorization` header is ignored here.',
  ),
  refusal('invalid_token', 'The token does not pass verification.'),
  refusal(
    'forbidden',
    'The `Origin` is not in `ALLOWED_ORIGINS`. A request without `Origin`, as from a program, is allowed.',
  ),
  refusal('not_found', 'The session does not exist or is not the caller’s.'),
  refusal('not_started', 'The session has not been started.'),
  refusal('session_ended', 'The session has ended.'),
  refusal(
    'rate_limited',
    'Too many connections in a minute, or ten open at once. `Retry-After` has the time to wait.',
  ),
  refusal(
    'unavailable',
    'The service stops, cannot reach its data, or has too much to send. `Retry-After` has the time to wait.',
  ),
];

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `A candidate's interview over one WebSocket. Text frames are JSON messages with a \`type\`. Binary frames are audio.

Messages with a \`seq\` are facts. \`seq\` increases strictly, with gaps, and survives restarts. After a resume the server repeats all facts after \`resumeFromSeq\`, in order and unchanged, before anything new. Messages without a \`seq\` are transient and not repeated.

A client message that records something has an \`id\` and is answered by \`ack\`. If the client sends it again, on any connection, it has no further effect and is acknowledged again.

Both sides ignore fields that are not described here: new fields can be added.`;

const textMessage = (
  type: string,
  { fields }: Declarations[string],
  { summary, examples }: Description,
): Json => {
  const { required, properties } = objectSchema(fields) as { required: string[]; properties: Properties };
  return {
    name: type,
    summary,
    contentType: 'application/json',
    payload: {
      $id: `${pascalCase(type)}Message`,
      type: 'object',
      required: ['type', ...required],
      properties: {
        type: Type.Literal(type),
        ...properties,
        ...(type === 'activity' && { events }),
        ...(type === 'error' && { code: { ...properties['code'], description: ERROR_DESCRIPTION } }),
      },
    },
    examples: examples.map((example, index) => ({
      name: `${type}.${index + 1}`,
      payload: { type, ...example },
    })),
  };
};

type Properties = Readonly<Record<string, Json>>;

const ERROR_DESCRIPTION = `${ERROR_CODES.map((one) => `\`${one}\`: ${errors[one].meaning}`).join('\n\n')}

New codes can be added: rely on \`fatal\`.`;

/** The events of `activity` are declared in the domain, not in the package of the messages. */
const events = Type.Array(ActivityRecord, { maxItems: MAX_ACTIVITIES });

const audioMessage = (name: keyof typeof audioDescriptions): Json => {
  const { speaker, summary } = audioDescriptions[name];
  return {
    name,
    summary,
    description: `A binary frame: a big-endian header of ${HEADER_BYTES} bytes, then 20 to 100 ms of PCM (signed 16 bits, little-endian, 16 kHz, mono), or none in a frame that only ends its turn. The examples are in base64. The frame itself is raw bytes.`,
    contentType: 'application/octet-stream',
    payload: { type: 'string', contentEncoding: 'base64' },
    examples: [{ name: `${name}.1`, payload: Buffer.from(exampleFrame(speaker)).toString('base64') }],
    'x-layout': audioHeader,
  };
};

const messagesOf = <Type extends string>(
  declarations: Readonly<Record<Type, Declarations[string]>>,
  descriptions: Readonly<Record<Type, Description>>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    (Object.keys(declarations) as Type[]).map((type) => [
      type,
      textMessage(type, declarations[type], descriptions[type]),
    ]),
  );

const fromClient: Readonly<Record<string, Json>> = {
  ...messagesOf(clientMessages, clientDescriptions),
  'audio.candidate': audioMessage('audio.candidate'),
};
const fromServer: Readonly<Record<string, Json>> = {
  ...messagesOf(serverMessages, serverDescriptions),
  'audio.interviewer': audioMessage('audio.interviewer'),
};

const references = (to: string, messages: Json): readonly Json[] =>
  Object.keys(messages).map((name) => ({ $ref: `${to}/${name}` }));

const operation = (action: 'send' | 'receive', summary: string, messages: Json): Json => ({
  action,
  summary,
  channel: { $ref: '#/channels/interview' },
  messages: references('#/channels/interview/messages', messages),
});

const QUERY: Json = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', description: 'The candidate’s OpenID Connect ID token.' } },
};

/** The AsyncAPI 3.0 document of the interview's socket. @param publicUrl the address of the service */
export const asyncApiDocument = (publicUrl: string): Json => {
  const { protocol, host, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const messages = { ...fromClient, ...fromServer };
  const schemas = new Map<string, unknown>();
  const described = withReferences(messages, schemas) as typeof messages;
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Assay interview',
      version: version(),
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        ...(pathname !== '/' && { pathname }),
        protocol: secure ? 'wss' : 'ws',
        description: 'The API’s own address.',
        security: [{ $ref: '#/components/securitySchemes/idToken' }],
      },
    },
    channels: {
      interview: {
        address: '/interrogation/{trialSessionId}/socket',
        title: 'The interview’s socket',
        description: `The protocol is \`${PROTOCOL}\`. A client can offer it as a WebSocket subprotocol; the server then selects it. A client that offers only other subprotocols is refused. The server refuses before the upgrade, with an HTTP answer and the error body of the API (\`x-refusals\`). A frame has at most ${MAX_FRAME_BYTES} bytes.`,
        servers: [{ $ref: '#/servers/service' }],
        parameters: {
          trialSessionId: {
            description: 'The candidate’s own trial session, started.',
            examples: ['0197f0a4-5a00-7c11-8e21-0a1b2c3d4e5f'],
          },
        },
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        bindings: { ws: { method: 'GET', query: QUERY, bindingVersion: '0.1.0' } },
        'x-refusals': refusals,
        'x-closing-codes': Object.values(closings),
        'x-error-codes': errors,
      },
    },
    operations: {
      fromClient: operation('receive', 'What clients send.', fromClient),
      fromServer: operation('send', 'What the server sends.', fromServer),
    },
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      messages: described,
      securitySchemes: {
        idToken: {
          type: 'httpApiKey',
          in: 'query',
          name: 'token',
          description: 'The candidate’s OpenID Connect ID token.',
        },
      },
    },
  };
};

const operations = {
  read: {
    id: 'asyncApi.read',
    tag: 'Operations',
    summary: 'The interview’s socket, described',
    description: 'Every message of it, with examples, and its codes.',
    success: { status: 200, description: 'AsyncAPI 3.0.', schema: AnyObject },
  },
} satisfies Operations;

@Controller('asyncapi.json')
export class AsyncApiController {
  private readonly text: string;

  constructor(@Inject(PUBLIC_URL) publicUrl: string) {
    this.text = JSON.stringify(asyncApiDocument(publicUrl));
  }

  @Get()
  @Public()
  @Operation(operations.read)
  read(): Answer {
    return json(this.text);
  }
}
