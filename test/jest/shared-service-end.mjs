export { end as default } from './shared-service.mjs';
