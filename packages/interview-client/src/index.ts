/** The interview's client, for browsers and Node. How to use it: README.md. */
export type { BackOff } from './connector.js';
export type { ClientState, EndedBy, InterviewHandlers, Moment, Problem, Receipt } from './handlers.js';
export { type ActivityEvent, InterviewClient, type InterviewClientOptions } from './interview-client.js';
export { Resampler } from './resampler.js';
export type { Clock, Socket, SocketConstructor } from './runtime.js';
export type { Recorded } from './send-queue.js';
