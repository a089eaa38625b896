import { Exactly, Strict } from '../validation/index.js';

@Strict()
export class StartTrialDto {
  @Exactly(true) consent!: true;
}
