import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type Class, shapeOf } from './shape.js';
import { validated } from './validate.js';

/**
 * The one global pipe: every `@Body()` is checked against its class. A body typed as anything that declares no
 * fields would pass unchecked, so that is a fault of ours and never served.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    if (!metatype || !shapeOf(metatype)) {
      throw new Error(`A body is typed as ${metatype?.name ?? 'nothing'}, which declares no fields.`);
    }
    return validated(metatype as Class, value);
  }
}
