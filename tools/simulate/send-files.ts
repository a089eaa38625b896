import { createHash } from 'node:crypto';
import type { SentFile } from './exercise.js';
import { numberOf, objectOf, type Person, stringOf, Unexpected, unexpected } from './person.js';
import { codeOf, type Answer } from './service.js';

/** Most bytes of a piece, as docs/work.md has them. */
const PIECE_BYTES = 128 * 1024;

/**
 * Announces a file, sends it in pieces and completes it.
 * @param path of the hand-ins of a ticket, or of its file sets
 * @returns its id
 * @throws {Unexpected} it was not taken
 */
export const sendFile = async (person: Person, path: string, file: SentFile): Promise<string> => {
  const id = await announce(person, path, file);
  const answer = await complete(person, `${path}/${id}`, file);
  if (answer.status !== 200) throw unexpected('POST', `${path}/${id}/complete`, answer);
  return id;
};

/**
 * Sends what must be refused as a whole.
 * @throws {Unexpected} it was taken
 */
export const sendRefused = async (person: Person, path: string, file: SentFile): Promise<void> => {
  const id = await announce(person, path, file);
  for (;;) {
    const answer = await complete(person, `${path}/${id}`, file);
    if (answer.status === 400 && codeOf(answer) === 'work_refused') return;
    // A refusal whose answer was lost has discarded what had arrived.
    if (codeOf(answer) !== 'hand_in_incomplete') throw unexpected('POST', `${path}/${id}/complete`, answer);
  }
};

const announce = async (person: Person, path: string, { name, content }: SentFile): Promise<string> => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const announced = { name, bytes: content.byteLength, sha256 };
  const { body } = await person.command('POST', path, announced, { status: 201 }, true);
  return stringOf(objectOf(body, 'What was announced'), 'id');
};

const complete = async (person: Person, path: string, { content }: SentFile): Promise<Answer> => {
  for (let offset = 0; offset < content.byteLength;) {
    const data = Buffer.from(content.subarray(offset, offset + PIECE_BYTES)).toString('base64');
    const answer = await person.attempt('POST', `${path}/pieces`, { offset, data });
    if (answer.status !== 200) throw unexpected('POST', `${path}/pieces`, answer);
    const received = numberOf(objectOf(answer.body, 'The answer to a piece'), 'received');
    if (received <= offset) throw new Unexpected(`POST ${path}/pieces took nothing at ${offset}.`);
    offset = received;
  }
  return person.attempt('POST', `${path}/complete`);
};
