import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../core/concurrency.js';
import { UnsettableText } from './pdf-fonts.js';
import { type MadePdf, type PdfOrder, reportPdf } from './pdf.js';

/**
 * Makes the PDF of one report in a thread that ends with it. To open the fonts and set a text takes half a second, and a
 * hundred long names several: requests would wait for that.
 */
const makePdf = async (order: PdfOrder): Promise<MadePdf> => {
  try {
    return { kind: 'made', pdf: await reportPdf(order) };
  } catch (error) {
    // A class does not survive the way out of a thread: the caller would see an `Error` of no kind, and answer it as a
    // fault of the service.
    if (error instanceof UnsettableText) return { kind: 'unsettable' };
    throw error;
  }
};

lowerThreadPriority();
const port = parentPort as MessagePort;
const [order] = (await once(port, 'message')) as [PdfOrder];
const answer = await makePdf(order);
// The bytes are transferred to the caller's thread without a copy.
const transferred = answer.kind === 'made' ? [answer.pdf.buffer as ArrayBuffer] : [];
port.postMessage(answer, transferred);
