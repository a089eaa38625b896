import { Exactly, Strict } from '../http/validation/index.js';

@Strict()
export class StartTrialDto {
  @Exactly(true) consent!: true;
}
