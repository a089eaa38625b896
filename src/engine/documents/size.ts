import { DocumentTooLarge } from '../../stores/errors.js';
import { documentText, MAX_DOCUMENT_BYTES } from '../../stores/limits.js';
import { START } from '../../core/event-store.js';
import type { DocumentSealer } from '../sealer.js';
import type { ViewDocument } from '../view.js';

/** What a UTF-16 code unit may come to as UTF-8 and then, sealed, as base64; and some room around it. */
const SEALED_BYTES = 4;
const AROUND = 4096;

/** Whether a document can be stored. Throws what sealing throws, which only one that is large has to undergo. */
export async function fits(
  sealer: DocumentSealer,
  id: string,
  content: ViewDocument | null,
): Promise<boolean> {
  if (content === null) return true;
  if (JSON.stringify(content).length * SEALED_BYTES + AROUND <= MAX_DOCUMENT_BYTES) return true;
  try {
    const body = await sealer.seal(content);
    documentText({ id, position: START, parkedAt: null, deleted: false, body });
    return true;
  } catch (error) {
    if (error instanceof DocumentTooLarge) return false;
    throw error;
  }
}
