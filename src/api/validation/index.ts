export { BodyPipe } from './body-pipe.js';
export { isEmailAddress } from './email.js';
export { parseInstant } from './instant.js';
export { isPlainObject } from './plain-object.js';
export * from './rules.js';
export { type Class, type Rule, schemaOf, shapeOf } from './shape.js';
export { validated } from './validate.js';
