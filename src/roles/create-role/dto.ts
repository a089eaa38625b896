import { ListOf, Optional, Text, TextList, Whole } from '../../app/http/validation/index.js';

/** Creation is LAX: presence and JSON types alone; fields of other names are ignored. */
export class CreateDimensionDto {
  @Text() name!: string;
  @Whole() weight!: number;
  @Text() category!: string;
  @Optional() @Whole() threshold?: number;
  @Optional() @Text() rubric?: string;
}

export class CreateQuestionDto {
  @Text() text!: string;
  @Optional() @Text() dimensionName?: string;
}

export class CreateRoleDto {
  @Text() name!: string;
  @Whole() overallThreshold!: number;
  @ListOf(() => CreateDimensionDto) dimensions!: CreateDimensionDto[];
  @Optional() @TextList() ticketIds?: string[];
  @Optional() @ListOf(() => CreateQuestionDto) questions?: CreateQuestionDto[];
}
