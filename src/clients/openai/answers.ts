import { OpenAiFailed } from './failure.js';

/** The failure that a status stands for. @param api the API's name for the log */
export const statusFailure = (response: Response, api: string): OpenAiFailed => {
  const { status } = response;
  const code =
    status === 429
      ? 'rate_limited'
      : status >= 500 || status === 408 || status === 409
        ? 'unavailable'
        : 'refused';
  const hint =
    status === 401 || status === 403
      ? ': check OPENAI_API_KEY'
      : status === 404
        ? ': check OPENAI_BASE_URL and OPENAI_MODEL'
        : '';
  return new OpenAiFailed(code, `${api} answered ${status}${hint}.`, retryAfter(response.headers));
};

/** How long to wait, in milliseconds. A date is held against the answer's own, never against this machine's clock. */
export const retryAfter = (headers: Headers): number | null => {
  const precise = amount(headers.get('retry-after-ms'));
  if (precise !== null) return precise;
  const value = headers.get('retry-after');
  const seconds = amount(value);
  if (seconds !== null) return seconds * 1000;
  const ms = Date.parse(value ?? '') - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};

const amount = (value: string | null): number | null =>
  value !== null && /^\d{1,9}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null;

/** An answer's pieces, at most `maxBytes` of them in all. @throws {OpenAiFailed} `too_large` */
export async function* bounded(
  response: Response,
  maxBytes: number,
  api: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLarge = (): OpenAiFailed =>
    new OpenAiFailed('too_large', `${api} answered more than ${maxBytes} bytes.`);
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    if (chunk.byteLength > 0) yield chunk;
  }
}

/** A whole answer as JSON. @throws {OpenAiFailed} `too_large`, `not_json` */
export const readJson = async (response: Response, maxBytes: number, api: string): Promise<unknown> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(response, maxBytes, api)) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new OpenAiFailed('not_json', `${api} answered something that is not JSON.`);
  }
};
