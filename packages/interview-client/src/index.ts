/** The interview's client, for browsers and Node. How to use it: docs/interview-client.md. */
export type { ActivityEvent } from './activities.js';
export type { Clock } from './clock.js';
export type { BackOff, EndedBy } from './endings.js';
export type { ClientState, InterviewHandlers, Moment, Problem, Receipt } from './handlers.js';
export { InterviewClient, type InterviewClientOptions } from './interview-client.js';
export type { Socket, SocketConstructor } from './socket.js';
