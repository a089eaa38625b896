import { ListOf, Optional, Text, TextList, Whole } from '../validation/index.js';
import { DEFINITION_LIMITS as MOST } from '../../domain/role/definition.js';

/** Creation is LAX: presence, JSON types and sizes alone; fields of other names are ignored. */
export class CreateDimensionDto {
  @Text({ anyString: true, maxLength: MOST.name }) name!: string;
  @Whole() weight!: number;
  @Text({ anyString: true, maxLength: MOST.category }) category!: string;
  @Optional() @Whole() threshold?: number;
  @Optional() @Text({ anyString: true, maxLength: MOST.rubric }) rubric?: string;
}

export class CreateQuestionDto {
  @Text({ anyString: true, maxLength: MOST.question }) text!: string;
  @Optional() @Text({ anyString: true, maxLength: MOST.name }) dimensionName?: string;
}

export class CreateRoleDto {
  @Text({ anyString: true, maxLength: MOST.name }) name!: string;
  @Whole() overallThreshold!: number;
  @ListOf(() => CreateDimensionDto, { max: MOST.dimensions }) dimensions!: CreateDimensionDto[];
  @Optional() @TextList({ max: MOST.ticketIds, maxLength: MOST.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => CreateQuestionDto, { max: MOST.questions }) questions?: CreateQuestionDto[];
}
