import { validationFailed } from '../http/api-error.js';
import { badCursor } from '../http/list-query.js';
import { assertReadPlace, type ReadPlace } from '../../vault/port.js';

/** The cursor of a list that goes on after a read. */
export const writeReadsCursor = ({ at, id }: ReadPlace): string =>
  Buffer.from(`${at} ${id}`).toString('base64url');

/**
 * @param cursor `null`: from the newest on
 * @throws {ApiError} `validation_failed`: no list of reads gave it
 */
export const readReadsCursor = (cursor: string | null): ReadPlace | null => {
  if (cursor === null) return null;
  const [at = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const place = { at, id };
  if (rest.length > 0 || writeReadsCursor(place) !== cursor || !isPlace(place))
    throw validationFailed([badCursor]);
  return place;
};

const isPlace = (place: ReadPlace): boolean => {
  try {
    assertReadPlace(place);
    return true;
  } catch {
    return false;
  }
};
