/** How exactly a media range of `Accept` matches a type. 3: by name; 2: by kind; 1: any type; 0: it does not match. */
const nearness = (range: string, type: string): number => {
  if (range === type) return 3;
  if (range === `${type.split('/', 1)[0] ?? ''}/*`) return 2;
  return range === '*/*' ? 1 : 0;
};

/** How well `Accept` matches a type; `quality` from 0 (refused) to 1. */
interface Preference {
  readonly nearness: number;
  readonly quality: number;
}

/** RFC 9110, 12.5.1: the most specific range that matches a type has its weight. */
const preferenceFor = (type: string, accept: string): Preference =>
  accept
    .toLowerCase()
    .split(',')
    .map((part): Preference => {
      const [range = '', ...parameters] = part.split(';').map((one) => one.trim());
      const quality = /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(
        parameters.find((one) => one.startsWith('q')) ?? '',
      );
      return { nearness: nearness(range, type), quality: quality ? Number(quality[1]) : 1 };
    })
    .reduce((best, one) => (one.nearness > best.nearness ? one : best), { nearness: 0, quality: 0 });

/**
 * Whether the `Accept` header prefers HTML to JSON, as a browser's does. If both have the same quality, JSON is
 * preferred, unless HTML is matched more exactly.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const html = preferenceFor('text/html', accept);
  const json = preferenceFor('application/json', accept);
  if (html.quality !== json.quality) return html.quality > json.quality;
  return html.quality > 0 && html.nearness > json.nearness;
};

/** Whether the `Accept` header prefers PDF to HTML and to JSON. */
export const prefersPdf = (accept = ''): boolean => {
  const pdf = preferenceFor('application/pdf', accept);
  const others = ['text/html', 'application/json'].map((type) => preferenceFor(type, accept));
  return (
    pdf.quality > 0 &&
    others.every(
      ({ quality, nearness }) =>
        pdf.quality > quality || (pdf.quality === quality && pdf.nearness > nearness),
    )
  );
};

/** The header of all answers of a path that answers as a page or as JSON. */
export const VARY_BY_ACCEPT = { Vary: 'Accept, Origin' };
