import { ListOf, OneOf, Optional, Strict, Text, TextList, Uuid, Whole } from '../validation/index.js';
import { CATEGORIES, DEFINITION_LIMITS as MOST } from '../../domain/role/definition.js';

/** An update is strict: the definition is whole, keeps every rule, and fields of other names are refused. */
@Strict()
export class UpdateDimensionDto {
  @Optional() @Uuid() id?: string;
  @Text({ notBlank: true, maxLength: MOST.name }) name!: string;
  @Whole({ min: 0, max: 100 }) weight!: number;
  @OneOf(...CATEGORIES) category!: string;
  @Optional() @Whole({ min: 0, max: 100 }) threshold?: number;
  @Optional() @Text({ maxLength: MOST.rubric }) rubric?: string;
}

@Strict()
export class UpdateQuestionDto {
  @Text({ maxLength: MOST.question }) text!: string;
  @Optional() @Text({ maxLength: MOST.name }) dimensionName?: string;
}

@Strict()
export class UpdateRoleDto {
  @Text({ notBlank: true, maxLength: MOST.name }) name!: string;
  @Whole({ min: 0, max: 100 }) overallThreshold!: number;
  @ListOf(() => UpdateDimensionDto, { min: 1, max: MOST.dimensions }) dimensions!: UpdateDimensionDto[];
  @Optional() @TextList({ max: MOST.ticketIds, maxLength: MOST.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => UpdateQuestionDto, { max: MOST.questions }) questions?: UpdateQuestionDto[];
}
