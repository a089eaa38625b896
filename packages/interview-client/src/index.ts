/** The interview's client, for browsers and Node. How to use it: README.md. */
export type { ActivityEvent } from './interview-client.js';
export type { Clock } from './runtime.js';
export type { BackOff } from './connector.js';
export type { ClientState, EndedBy, InterviewHandlers, Moment, Problem, Receipt } from './handlers.js';
export { InterviewClient, type InterviewClientOptions } from './interview-client.js';
export type { Recorded } from './send-queue.js';
export type { Socket, SocketConstructor } from './runtime.js';
export { Resampler } from './resampler.js';
