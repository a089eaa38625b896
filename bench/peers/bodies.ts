import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  ValidateNested,
  validateSync,
} from 'class-validator';
import type { Activity, Definition } from './domain.js';

const MAX_BATCH = 100;
const MAX_PAYLOAD_BYTES = 16 * 1024;
const MAX_TEXT = 16_384;

class DimensionBody {
  @IsString() @Matches(/\S/) name!: string;
  @IsInt() @Min(0) @Max(100) weight!: number;
  @IsIn(['process', 'correctness']) category!: string;
  @IsOptional() @IsInt() @Min(0) @Max(100) threshold?: number;
}

/** A role, checked as the service checks it. */
export class DefinitionBody implements Definition {
  @IsString() @Matches(/\S/) name!: string;
  @IsInt() @Min(0) @Max(100) overallThreshold!: number;
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => DimensionBody)
  dimensions!: DimensionBody[];
  @IsOptional() @IsString({ each: true }) ticketIds?: string[];
}

class MessageSent {
  @IsString() @MaxLength(MAX_TEXT) text!: string;
  @IsIn(['assistant', 'interviewer']) to!: string;
}
class FileChanged {
  @IsString() @MaxLength(MAX_TEXT) path!: string;
  @IsInt() @Min(0) linesAdded!: number;
  @IsInt() @Min(0) linesRemoved!: number;
}
class TestRun {
  @IsInt() @Min(0) passed!: number;
  @IsInt() @Min(0) failed!: number;
  @IsNumber() @Min(0) durationMs!: number;
}

const PAYLOADS: Readonly<Record<string, new () => object>> = {
  'message.sent': MessageSent,
  'file.changed': FileChanged,
  'test.run': TestRun,
};

/** Fields by the event's type, and the size of all of it. */
const KnownPayload = (): PropertyDecorator => (target, propertyName) =>
  registerDecorator({
    name: 'knownPayload',
    target: target.constructor,
    propertyName: String(propertyName),
    options: { message: 'payload does not fit its eventType' },
    validator: {
      validate: (payload: object, args) => {
        const { eventType } = args?.object as ActivityBody;
        if (Buffer.byteLength(JSON.stringify(args?.object)) > MAX_PAYLOAD_BYTES) return false;
        const kind = PAYLOADS[eventType];
        return kind === undefined || validateSync(plainToInstance(kind, payload)).length === 0;
      },
    },
  });

class ActivityBody implements Activity {
  @IsString() @Length(1, 64) clientEventId!: string;
  @Matches(/^[a-z][a-z0-9_.]{0,63}$/) eventType!: string;
  @IsISO8601({ strict: true, strictSeparator: true }) occurredAt!: string;
  @IsObject() @KnownPayload() payload!: Record<string, unknown>;
}

/** A batch of what a candidate did. */
export class BatchBody {
  @IsArray()
  @ArrayMaxSize(MAX_BATCH)
  @ValidateNested({ each: true })
  @Type(() => ActivityBody)
  events!: ActivityBody[];
}
