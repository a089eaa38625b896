export { isEmailAddress, parseInstant } from './formats.js';
export * from './rules.js';
export { type Class, type Rule, schemaOf, shapeOf } from './shape.js';
export { BodyPipe, isPlainObject, validated } from './validate.js';
