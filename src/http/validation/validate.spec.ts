import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { Enumeration } from '../../core/json-schema.js';
import { ApiError, type ErrorDetail } from '../api-error.js';
import { withReferences } from '../openapi/document.js';
import { Schema, schemaOf } from './fields.js';
import {
  Email,
  Exactly,
  Flag,
  FreeObject,
  Instant,
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Text,
  TextList,
  Uuid,
  Whole,
} from './rules.js';
import { validated } from './validate.js';

@Schema('Part')
class PartDto {
  @Text({ maxLength: 100, notBlank: true })
  name!: string;

  @Whole({ min: 0, max: 100 })
  weight!: number;
}

@Schema('Wishes', { mayBeAbsent: true })
class WishesDto {
  @Optional()
  @Whole({ min: 1 })
  days?: number;
}

@Schema('Whole')
class WholeDto {
  @Text({ maxLength: 100, notBlank: true })
  name!: string;

  @ListOf(() => PartDto, { min: 1, max: 3 })
  parts!: PartDto[];

  @Optional()
  @Nested(() => PartDto)
  best?: PartDto;

  @Optional()
  @TextList({ max: 3, maxLength: 10 })
  tags?: string[];

  @Optional()
  @Nullable()
  @Whole({ max: 100 })
  threshold?: number | null;
}

@Schema('Lax', { lax: true })
class LaxDto {
  @FreeObject()
  payload!: Record<string, unknown>;
}

@Schema('Kinds')
class KindsDto {
  @Optional() @Flag() flag?: boolean;
  @Optional() @Exactly(true) consent?: true;
  @Optional() @OneOf(Enumeration('Letter', ['a', 'b'])) letter?: string;
  @Optional() @Email() email?: string;
  @Optional() @Instant() at?: string;
  @Optional() @Uuid() id?: string;
}

@Schema('Contact', { exactlyOne: { ContactByEmail: 'email', ContactByPhone: 'phone' } })
class ContactDto {
  @Optional() @Email() email?: string;
  @Optional() @Text({ maxLength: 20 }) phone?: string;
  @Flag() urgent!: boolean;
}

@Schema('Change', { atLeastOne: { ChangeName: 'name', ChangeDays: 'days' } })
class ChangeDto {
  @Optional() @Nullable() @Text({ maxLength: 20 }) name?: string | null;
  @Optional() @Whole({ min: 1, max: 9 }) days?: number;
}

const refusal = (check: () => unknown): ApiError => {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

const details = (check: () => unknown): readonly ErrorDetail[] => refusal(check).details ?? [];
const broken = (check: () => unknown): string[] => details(check).map(({ path, rule }) => `${path}:${rule}`);
const whole = (over: object): unknown => ({ name: 'n', parts: [{ name: 'p', weight: 1 }], ...over });

describe('a body', () => {
  it('comes back as an instance of its class', () => {
    const dto = validated(WholeDto, whole({ best: { name: 'b', weight: 0 } }));
    expect(dto).toBeInstanceOf(WholeDto);
    expect(dto.parts[0]).toBeInstanceOf(PartDto);
    expect(dto.best).toBeInstanceOf(PartDto);
    expect(dto).toEqual(whole({ best: { name: 'b', weight: 0 } }));
  });

  it.each([
    [undefined, ':required'],
    [null, ':object'],
    [[], ':object'],
    ['x', ':object'],
    [7, ':object'],
    [true, ':object'],
  ])('that is %j is refused', (body, expected) => {
    const error = refusal(() => validated(WholeDto, body));
    expect(error.status).toBe(400);
    expect(error.code).toBe('validation_failed');
    expect(error.details?.map(({ path, rule }) => `${path}:${rule}`)).toEqual([expected]);
  });

  it('that is absent is an empty one where its class says so, and nowhere else', () => {
    expect(validated(WishesDto, undefined)).toEqual({});
    expect(validated(WishesDto, undefined)).toBeInstanceOf(WishesDto);
    expect(validated(WishesDto, { days: 2 })).toEqual({ days: 2 });
    for (const body of [null, [], 'x', { days: 0 }, { other: 1 }])
      expect(refusal(() => validated(WishesDto, body)).code).toBe('validation_failed');
  });

  it('names every offending field once, by its full path, in our own words', () => {
    const body = {
      name: ' \t\n',
      parts: [
        { name: 'ok', weight: 1 },
        { name: null, weight: '70' },
        { weight: 101, colour: 1 },
      ],
      more: 1,
    };
    const error = refusal(() => validated(WholeDto, body));
    expect(error.details).toEqual([
      {
        path: 'name',
        rule: 'notBlank',
        message: 'name must contain at least one character that is not a space.',
      },
      { path: 'parts[1].name', rule: 'string', message: 'parts[1].name must be a string.' },
      {
        path: 'parts[1].weight',
        rule: 'integer',
        message: 'parts[1].weight must be a whole number between -9007199254740991 and 9007199254740991.',
      },
      { path: 'parts[2].name', rule: 'required', message: 'parts[2].name is required.' },
      { path: 'parts[2].weight', rule: 'max', message: 'parts[2].weight must be at most 100.' },
      {
        path: 'parts[2].colour',
        rule: 'unknown',
        message: 'Unknown field: parts[2].colour.',
      },
      { path: 'more', rule: 'unknown', message: 'Unknown field: more.' },
    ]);
  });

  it.each([
    ['"70"', 'integer'],
    ['1.5', 'integer'],
    ['9007199254740992', 'integer'],
    ['1e400', 'integer'],
    ['-1e400', 'integer'],
    ['true', 'integer'],
    ['null', 'integer'],
    ['[1]', 'integer'],
    ['{}', 'integer'],
    ['101', 'max'],
    ['-1', 'min'],
  ])('holds no %s for a whole number from 0 to 100', (json, rule) => {
    const weight: unknown = JSON.parse(json);
    expect(broken(() => validated(WholeDto, whole({ parts: [{ name: 'p', weight }] })))).toEqual([
      `parts[0].weight:${rule}`,
    ]);
  });

  it.each([
    [{ parts: null }, 'parts:array'],
    [{ parts: {} }, 'parts:array'],
    [{ parts: { length: 1, 0: { name: 'p', weight: 1 } } }, 'parts:array'],
    [{ parts: [] }, 'parts:minItems'],
    [{ parts: [1, 2, 3, 4] }, 'parts:maxItems'],
    [{ parts: [1, 2] }, 'parts[0]:object'],
    [{ parts: [[{ name: 'p', weight: 1 }]] }, 'parts[0]:object'],
    [{ parts: [null] }, 'parts[0]:object'],
    [{ best: [] }, 'best:object'],
    [{ best: [{ name: 'p', weight: 1 }] }, 'best:object'],
    [{ best: null }, 'best:object'],
    [{ tags: null }, 'tags:array'],
    [{ tags: 'a' }, 'tags:array'],
    [{ tags: ['a', 1] }, 'tags:strings'],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags:maxItems'],
    [{ tags: ['a', 'x'.repeat(11)] }, 'tags:maxLength'],
    [{ name: 'x'.repeat(101) }, 'name:maxLength'],
    [{ threshold: 101 }, 'threshold:max'],
    [{ threshold: undefined, name: undefined }, 'name:required'],
    [{ name: 'half \ud83d' }, 'name:wellFormed'],
    [{ name: '\ude00\ud83d' }, 'name:wellFormed'],
  ])('with %j is refused', (over, expected) => {
    expect(broken(() => validated(WholeDto, whole(over)))[0]).toBe(expected);
  });

  it('tells null from absent', () => {
    expect(validated(WholeDto, whole({ threshold: null })).threshold).toBeNull();
    expect('threshold' in validated(WholeDto, whole({}))).toBe(false);
    for (const name of ['name', 'parts', 'best', 'tags']) {
      expect(broken(() => validated(WholeDto, whole({ [name]: null })))).toHaveLength(1);
    }
  });

  it('refuses unknown fields by name where the class is strict, whatever they are called', () => {
    const body = JSON.parse(
      '{"name":"n","parts":[{"name":"p","weight":1}],"__proto__":{"x":1},"constructor":1,"a.b":2,"$where":3}',
    ) as unknown;
    expect(broken(() => validated(WholeDto, body))).toEqual([
      '__proto__:unknown',
      'constructor:unknown',
      '["a.b"]:unknown',
      '$where:unknown',
    ]);
  });

  it('is never given a prototype by its keys', () => {
    const body = JSON.parse('{"payload":{},"__proto__":{"admin":true}}') as unknown;
    const dto = validated(LaxDto, body) as LaxDto & { admin?: boolean };
    expect(dto.admin).toBeUndefined();
    expect(Object.getPrototypeOf(dto)).toBe(LaxDto.prototype);
  });

  it('hands free objects on by reference, and nothing else', () => {
    const payload = JSON.parse('{"$where":1,"a.b":2,"__proto__":{"x":[1,{"y":null}]}}') as object;
    const dto = validated(LaxDto, { payload, other: 1 });
    expect(dto.payload).toBe(payload);
    expect(JSON.stringify(dto.payload)).toBe('{"$where":1,"a.b":2,"__proto__":{"x":[1,{"y":null}]}}');
    expect(Object.keys(dto)).toEqual(['payload']);
  });

  it.each([
    [{ flag: 'true' }, 'flag:boolean'],
    [{ flag: 1 }, 'flag:boolean'],
    [{ consent: false }, 'consent:exactly'],
    [{ consent: 'true' }, 'consent:exactly'],
    [{ letter: 'c' }, 'letter:oneOf'],
    [{ letter: ['a'] }, 'letter:oneOf'],
    [{ email: 'nobody' }, 'email:email'],
    [{ email: '\u212Aelvin@example.org' }, 'email:email'],
    [{ email: '\ud800da@example.org' }, 'email:email'],
    [{ email: 5 }, 'email:string'],
    [{ at: '2026-02-30T00:00:00Z' }, 'at:instant'],
    [{ at: '2026-01-01' }, 'at:instant'],
    [{ at: '2026-01-01T00:00:00' }, 'at:instant'],
    [{ at: 1 }, 'at:string'],
    [{ id: 'x' }, 'id:uuid'],
  ])('with %j is refused by kind', (body, expected) => {
    expect(broken(() => validated(KindsDto, body))).toEqual([expected]);
  });

  it.each([
    '\u00A0ada@example.org',
    '\uFEFFada@example.org',
    'ada@example.org\u200B',
    '\u202Aada@example.org\u202C',
    '\u00C4da@example.org',
    'A\u0308da@example.org',
    'ada@b\u00FCcher.example',
    'ada@B\u00DCCHER.example',
  ])('takes any spelling of an address: %j', (email) => {
    expect(validated(KindsDto, { email })).toEqual({ email });
  });

  it.each([
    ['anna muster@example.org', 'email must be an e-mail address. Remove the space after “anna”.'],
    ['anna@example.org,', 'email must be an e-mail address. Remove the comma after “anna@example.org”.'],
    ['anna\u0000@example.org', 'email must be an e-mail address. Remove U+0000 after “anna”.'],
    ['\u212Aelvin@example.org', 'email must be an e-mail address. Remove “\u212A” at the beginning.'],
    ['{path} $& @example.org', 'email must be an e-mail address. Remove the space after “{path}”.'],
    ['nobody', 'email must be an e-mail address. The @ is missing: an address is such as carol@example.org.'],
    ['anna@example', 'email must be an e-mail address.'],
  ])('names the sign for which %j is no address', (email, message) => {
    expect(details(() => validated(KindsDto, { email }))).toEqual([
      { path: 'email', rule: 'email', message },
    ]);
  });

  it('takes each kind as it is meant', () => {
    const body = {
      flag: false,
      consent: true,
      letter: 'b',
      email: ' Ada@Example.org ',
      at: '2028-02-29T23:59:59.5+05:30',
      id: '0190b6a0-0000-7000-8000-000000000000',
    };
    expect(validated(KindsDto, body)).toEqual(body);
  });

  it('names at most 50 fields of a body that is nothing but faults', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
    expect(details(() => validated(WholeDto, whole(many)))).toHaveLength(50);
  });

  it('never throws anything but a refusal, and never changes what it was given', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const body: unknown = JSON.parse(json);
        for (const type of [WholeDto, LaxDto, KindsDto]) {
          try {
            validated<object>(type, body);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
          }
        }
        expect(body).toEqual(JSON.parse(json));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[new () => object, object, string[]]>([
    [ContactDto, { urgent: true, email: 'ada@example.org' }, []],
    [ContactDto, { urgent: true, phone: '112' }, []],
    [ContactDto, { urgent: true }, ['email:exactlyOne', 'phone:exactlyOne']],
    [
      ContactDto,
      { urgent: true, email: 'ada@example.org', phone: '1' },
      ['email:exactlyOne', 'phone:exactlyOne'],
    ],
    [ChangeDto, { name: 'n' }, []],
    [ChangeDto, { name: 'n', days: 1 }, []],
    [ChangeDto, { name: null, days: 1 }, []],
    [ChangeDto, {}, ['name:atLeastOne', 'days:atLeastOne']],
    [ChangeDto, { name: null }, ['name:atLeastOne', 'days:atLeastOne']],
    [ChangeDto, { days: null }, ['days:integer']],
    [ContactDto, { email: null, urgent: true }, ['email:string']],
  ])('%p takes one of several fields as it says, by its schema too: %j', (type, body, expected) => {
    const accepted = expected.length === 0;
    if (accepted) expect(validated(type, body)).toEqual(body);
    else expect(broken(() => validated(type, body))).toEqual(expected);
    const matches = new Ajv({ strict: false, validateFormats: false }).compile(schemaOf(type));
    expect(matches(body)).toBe(accepted);
  });

  it('describes itself as a JSON Schema', () => {
    const schemas = new Map<string, unknown>();
    expect(withReferences(schemaOf(WholeDto), schemas)).toEqual({ $ref: '#/components/schemas/Whole' });
    expect(schemas.get('Whole')).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 100, pattern: '\\S' },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Part' }, minItems: 1, maxItems: 3 },
        best: { $ref: '#/components/schemas/Part' },
        tags: { type: 'array', items: { type: 'string', maxLength: 10 }, maxItems: 3 },
        threshold: { type: ['integer', 'null'], minimum: -9007199254740991, maximum: 100 },
      },
      required: ['name', 'parts'],
      additionalProperties: false,
    });
  });
});
