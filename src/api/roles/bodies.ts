import { Enumeration } from '../../core/json-schema.js';
import {
  AI_POLICY,
  ANSWER_PAUSE_MS,
  CATEGORIES,
  DEFINITION_LIMITS as MAX,
  PERCENT,
  REMINDER_DAYS,
  TIME_FRAME_MINUTES,
} from '../../domain/role/events.js';
import { Schema } from '../../http/validation/fields.js';
import {
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Text,
  TextList,
  Uuid,
  Whole,
  WholeList,
} from '../../http/validation/rules.js';
import type { AiPolicy } from '../../languages/en/shapes.js';

const CATEGORY = Enumeration('DimensionCategory', CATEGORIES);

/** Creation is lax: presence, JSON types, sizes and the policy alone; fields of other names are ignored. */
@Schema('CreateDimension', { lax: true })
export class CreateDimensionDto {
  @Text({ anyString: true, maxLength: MAX.name }) name!: string;
  @Whole() weight!: number;
  @Text({ anyString: true, maxLength: MAX.category }) category!: string;
  @Optional() @Nullable() @Whole() threshold?: number | null;
  @Optional() @Nullable() @Text({ anyString: true, maxLength: MAX.rubric }) rubric?: string | null;
}

@Schema('CreateQuestion', { lax: true })
export class CreateQuestionDto {
  @Text({ anyString: true, maxLength: MAX.question }) text!: string;
  @Optional() @Nullable() @Text({ anyString: true, maxLength: MAX.name }) dimensionName?: string | null;
}

@Schema('CreateNotice', { lax: true })
export class CreateNoticeDto {
  @Text({ anyString: true, maxLength: MAX.noticeVersion }) version!: string;
  @Text({ anyString: true, maxLength: MAX.notice }) text!: string;
}

@Schema('CreateRole', { lax: true })
export class CreateRoleDto {
  @Text({ anyString: true, maxLength: MAX.name, inMails: true }) name!: string;
  @Whole() overallThreshold!: number;
  @ListOf(() => CreateDimensionDto, { max: MAX.dimensions }) dimensions!: CreateDimensionDto[];
  @Optional() @TextList({ max: MAX.ticketIds, maxLength: MAX.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => CreateQuestionDto, { max: MAX.questions }) questions?: CreateQuestionDto[];
  @Optional() @Nullable() @Text({ anyString: true, maxLength: MAX.instructions }) instructions?:
    string | null;
  @Optional() @Nullable() @Whole() timeFrameMinutes?: number | null;
  @Optional() @Nullable() @Nested(() => CreateNoticeDto) notice?: CreateNoticeDto | null;
  @Optional() @WholeList({ max: MAX.reminderDays }) reminderDays?: number[];
  @Optional() @Whole() answerPauseMs?: number;
  @Optional() @Nullable() @OneOf(AI_POLICY) aiPolicy?: AiPolicy | null;
}

/** What the document's examples of a definition are: it keeps the rules of an update. */
export const EXAMPLE_ROLE = {
  name: 'Backend engineer',
  overallThreshold: 60,
  dimensions: [
    { name: 'Testing', weight: 60, category: 'correctness', threshold: 50 },
    { name: 'Way of working', weight: 40, category: 'process' },
  ],
  ticketIds: ['TICKET-1'],
  questions: [{ text: 'How did you find the fault?', dimensionName: 'Way of working' }],
  instructions: 'Repair the failing build. Use **any** tool that you like.',
  timeFrameMinutes: 90,
  notice: { version: '2026-01', text: 'Your answers are recorded and scored by fixed rules.' },
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
  aiPolicy: 'allowed',
};

/**
 * An update is strict: the definition is whole, keeps every rule, and fields of other names are refused. The limits are
 * the domain's (`readiness` tests by them whether a created role is a draft); rules of several fields are its own.
 */
@Schema('UpdateDimension')
export class UpdateDimensionDto {
  @Optional() @Uuid() id?: string;
  @Text({ notBlank: true, maxLength: MAX.name }) name!: string;
  @Whole(PERCENT) weight!: number;
  @OneOf(CATEGORY) category!: string;
  @Optional() @Nullable() @Whole(PERCENT) threshold?: number | null;
  @Optional() @Nullable() @Text({ maxLength: MAX.rubric }) rubric?: string | null;
}

@Schema('UpdateQuestion')
export class UpdateQuestionDto {
  @Text({ maxLength: MAX.question }) text!: string;
  @Optional() @Nullable() @Text({ maxLength: MAX.name }) dimensionName?: string | null;
}

@Schema('UpdateNotice')
export class UpdateNoticeDto {
  @Text({ notBlank: true, maxLength: MAX.noticeVersion }) version!: string;
  @Text({ notBlank: true, maxLength: MAX.notice }) text!: string;
}

@Schema('UpdateRole')
export class UpdateRoleDto {
  @Text({ notBlank: true, maxLength: MAX.name, inMails: true }) name!: string;
  @Whole(PERCENT) overallThreshold!: number;
  @ListOf(() => UpdateDimensionDto, { min: 1, max: MAX.dimensions }) dimensions!: UpdateDimensionDto[];
  @Optional() @TextList({ max: MAX.ticketIds, maxLength: MAX.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => UpdateQuestionDto, { max: MAX.questions }) questions?: UpdateQuestionDto[];
  @Optional() @Nullable() @Text({ maxLength: MAX.instructions }) instructions?: string | null;
  @Optional() @Nullable() @Whole(TIME_FRAME_MINUTES) timeFrameMinutes?: number | null;
  @Optional() @Nullable() @Nested(() => UpdateNoticeDto) notice?: UpdateNoticeDto | null;
  @Optional()
  @WholeList({ max: MAX.reminderDays, least: REMINDER_DAYS.min, most: REMINDER_DAYS.max })
  reminderDays?: number[];
  @Optional() @Whole(ANSWER_PAUSE_MS) answerPauseMs?: number;
  @Optional() @Nullable() @OneOf(AI_POLICY) aiPolicy?: AiPolicy | null;
}
