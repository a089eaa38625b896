import fc from 'fast-check';

/** What must not reach a model as it is: control, invisible and bidi characters, chat templates' marks, addresses. */
export const STEERS = /[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\[\/?[A-Z]|[a-z]@[a-z]+\.[a-z]/u;

/** Texts that candidates might choose to steer a model by, lone surrogates among them. */
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
