import {
  ListOf,
  OneOf,
  Optional,
  Strict,
  Text,
  TextList,
  Uuid,
  Whole,
} from '../../app/http/validation/index.js';
import { CATEGORIES } from '../definition.js';

/** An update is strict: the definition is whole, keeps every rule, and fields of other names are refused. */
@Strict()
export class UpdateDimensionDto {
  @Optional() @Uuid() id?: string;
  @Text({ notBlank: true }) name!: string;
  @Whole({ min: 0, max: 100 }) weight!: number;
  @OneOf(...CATEGORIES) category!: string;
  @Optional() @Whole({ min: 0, max: 100 }) threshold?: number;
  @Optional() @Text() rubric?: string;
}

@Strict()
export class UpdateQuestionDto {
  @Text() text!: string;
  @Optional() @Text() dimensionName?: string;
}

@Strict()
export class UpdateRoleDto {
  @Text({ notBlank: true }) name!: string;
  @Whole({ min: 0, max: 100 }) overallThreshold!: number;
  @ListOf(() => UpdateDimensionDto, { min: 1 }) dimensions!: UpdateDimensionDto[];
  @Optional() @TextList() ticketIds?: string[];
  @Optional() @ListOf(() => UpdateQuestionDto) questions?: UpdateQuestionDto[];
}
