import { describe, expect, it } from '@jest/globals';
import { Contains, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { Enumeration } from '../../core/json-schema.js';
import { ApiError, type ErrorDetail } from '../api-error.js';
import { Schema, schemaOf } from './fields.js';
import {
  Base64,
  Checked,
  Exactly,
  Flag,
  Instant,
  LineWithoutAddress,
  ListOf,
  Nullable,
  OneOf,
  Optional,
  Text,
  Uuid,
} from './rules.js';
import { validated } from './validate.js';

@Schema('Item')
class ItemDto {
  @Text({ maxLength: 100 }) text!: string;
}

let looks = 0;

@Schema('Counted')
class CountedDto {
  @Checked({}, { name: 'counted', holds: () => ++looks < 0, sentence: '{path} is counted.' }) at!: unknown;
}

@Schema('Traps')
class TrapsDto {
  @Optional() @Text({ maxLength: 2 }) short?: string;
  @Optional() @Text({ maxLength: 100, notBlank: true, pattern: /^[a-z]*$/g }) word?: string;
  @Optional() @Uuid() id?: string;
  @Optional() @Instant() at?: string;
  @Optional() @Flag() flag?: boolean;
  @Optional() @Exactly('$value $property $target') exact?: string;
  @Optional() @OneOf(Enumeration('Letter', ['$constraint1', 'b'])) letter?: string;
  @Optional() @Contains('x') @Text({ maxLength: 100 }) foreign?: string;
  @Optional() @ListOf(() => ItemDto, { max: 10 }) items?: ItemDto[];
  @Optional() @ListOf(() => CountedDto, { max: 1_000 }) counted?: CountedDto[];
  @Optional() @ListOf(() => ItemDto, { max: 10 }) @ValidateNested() twice?: ItemDto[];
}

@Schema('Bytes')
class BytesDto {
  @Base64(6) data!: string;
}

@Schema('Labelled')
class LabelledDto {
  @LineWithoutAddress(100) label!: string;
}

@Schema('Base')
class BaseDto {
  @Text({ maxLength: 100 }) first!: string;
  @Text({ maxLength: 100 }) second!: string;
  @Nullable() @Text({ maxLength: 100 }) third!: string | null;
}

@Schema('Derived')
class DerivedDto extends BaseDto {
  @Text({ maxLength: 1 }) override second = '';
  @Text({ maxLength: 100 }) fourth!: string;
}

const details = (type: new () => object, body: unknown): readonly ErrorDetail[] => {
  try {
    validated<object>(type, body);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details ?? [];
    throw error;
  }
};

const broken = (type: new () => object, body: unknown): string[] =>
  details(type, body).map(({ path, rule }) => `${path}:${rule}`);

describe('what class-validator means otherwise', () => {
  it.each([
    [{ short: '\u{1F600}a' }, []],
    [{ short: '\u{1F600}ab' }, ['short:maxLength']],
    [{ short: 'a\ufe0f\ufe0f' }, ['short:maxLength']],
    [{ word: '\u00A0\u2028' }, ['word:notBlank']],
    [{ word: 'A' }, ['word:pattern']],
    [{ id: '00000000-0000-0000-0000-000000000000' }, ['id:uuid']],
    [{ id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }, ['id:uuid']],
    [{ id: '0190B6A0-0000-7000-8000-000000000000' }, []],
    [{ at: '2026-02-31T00:00:00Z' }, ['at:instant']],
    [{ at: '2026-01-31 00:00:00Z' }, ['at:instant']],
    [{ short: null }, ['short:string']],
    [{ flag: null }, ['flag:boolean']],
    [{ items: [[{ text: 'a' }]] }, ['items[0]:object']],
    [{ items: [{ text: 'a' }, { text: null }] }, ['items[1].text:string']],
  ])('%j', (body, expected) => {
    expect(broken(TrapsDto, body)).toEqual(expected);
  });

  it('matches a global pattern however often it is asked', () => {
    for (let times = 0; times < 3; times += 1) expect(broken(TrapsDto, { word: 'abc' })).toEqual([]);
  });

  it('gives no meaning to a dollar in a sentence', () => {
    expect(details(TrapsDto, { exact: 'x', letter: 'y' }).map(({ message }) => message)).toEqual([
      'exact must be "$value $property $target".',
      'letter must be one of: $constraint1, b.',
    ]);
  });
});

describe('bytes in base64', () => {
  const schema = schemaOf(BytesDto) as unknown as { properties: { data: { pattern: string } } };
  const pattern = new RegExp(schema.properties.data.pattern);

  it('may have been decoded by the parser of the body', () => {
    expect(details(BytesDto, { data: Buffer.from('AAA') })).toEqual([]);
    expect(details(BytesDto, { data: { type: 'Buffer', data: [65] } })).not.toEqual([]);
  });

  it.each([
    ['', []],
    ['QUFB', []],
    ['QUE=', []],
    ['QQ==', []],
    ['QR==', []],
    ['QUFBQUFB', []],
    ['QUFBQUFBQUFB', ['data:maxLength']],
    ['QUF', ['data:pattern']],
    ['Q===', ['data:pattern']],
    ['====', ['data:pattern']],
    ['QQ==QUFB', ['data:pattern']],
    ['QU B', ['data:pattern']],
    ['QUF-', ['data:pattern']],
    ['QUF_', ['data:pattern']],
    // Their lower bytes are letters of the alphabet.
    ['QUF\u0141', ['data:pattern']],
    ['QU\u{10151}', ['data:pattern']],
    [7, ['data:string']],
  ])('%j', (data, expected) => {
    expect(broken(BytesDto, { data })).toEqual(expected);
  });

  it('are what the pattern of the document says, whatever the text', () => {
    const unit = fc.constantFrom(...Array.from('AQgw049+/=-_ \n\u0151\u2b51é😀'));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 4 }), fc.string({ unit, maxLength: 4 }), (one, other) => {
        const data = one + other;
        expect(broken(BytesDto, { data })).toEqual(pattern.test(data) ? [] : ['data:pattern']);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a decorator of class-validator's own", () => {
  it('may stand beside ours', () => {
    expect(broken(TrapsDto, { foreign: 'axb' })).toEqual([]);
    expect(broken(TrapsDto, { foreign: 7 })).toEqual(['foreign:string']);
    expect(details(TrapsDto, { foreign: 'b' })).toEqual([
      { path: 'foreign', rule: 'contains', message: 'foreign must contain a x string' },
    ]);
  });

  it('is never broken without a word', () => {
    expect(broken(TrapsDto, { twice: [{}] })).toEqual(['twice:invalid']);
  });
});

describe('a line without an address', () => {
  it.each(['ada@example.org', 'ada＠example.org', 'ada﹫example.org', 'a\nb', ' '])(
    'has no sign of one, in whatever form, and is one line: %j',
    (label) => {
      expect(broken(LabelledDto, { label })).toEqual(['label:pattern']);
    },
  );

  it.each(['Ada', 'at 9:00 – für Ömer 李', ' x '])('has any other letters: %j', (label) => {
    expect(broken(LabelledDto, { label })).toEqual([]);
  });
});

describe('a body', () => {
  it('is not looked at any further once 50 fields are named', () => {
    const counted = Array.from({ length: 1_000 }, () => ({ at: 1 }));
    looks = 0;
    expect(details(TrapsDto, { counted })).toHaveLength(50);
    // The first fault ends the check of the whole; then each is checked twice: the second time for its message.
    expect(looks).toBe(1 + 2 * 50);
  });

  it('keeps what its class inherits, and what it declares anew', () => {
    expect(broken(DerivedDto, { first: 1, second: 'ab', third: 1 })).toEqual([
      'first:string',
      'second:maxLength',
      'third:string',
      'fourth:required',
    ]);
    const body = { first: 'a', second: 'b', third: null, fourth: 'd' };
    expect(validated(DerivedDto, body)).toEqual(body);
  });
});
