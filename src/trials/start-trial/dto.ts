import { Exactly, Strict } from '../../app/http/validation/index.js';

@Strict()
export class StartTrialDto {
  @Exactly(true) consent!: true;
}
