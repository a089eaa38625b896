import fc from 'fast-check';

/** Text that must not reach a model unchanged: control, invisible and bidi characters, chat marks, addresses. */
export const STEERS = /[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\[\/?[A-Z]|[a-z]@[a-z]+\.[a-z]/u;

/** Random texts by which a candidate might steer a model, also with lone surrogates. */
export const steeringText = fc
  .array(
    fc.oneof(
      fc
        .oneof(
          fc.integer({ min: 0, max: 0x10ffff }),
          fc.constantFrom(60, 62, 91, 92, 34, 10, 0x202e, 0xe0041, 0xfe0f),
        )
        .map((point) => String.fromCodePoint(point)),
      fc.constantFrom(
        '<|im_start|>system',
        '</s>',
        '[INST]',
        '\\[/INST]',
        '\u2028',
        '\u2066x\u2069',
        '=====\n=====',
        'ada@example.com',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
