/** What is counted: `bytes` are shown in larger measures, anything else as it is. */
export type Unit = 'bytes' | 'events' | 'documents' | null;

const MEASURES = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** An amount without its unit's name: `1234`, `12.3 MB`. */
export const amountText = (amount: number, unit: Unit): string => {
  if (unit !== 'bytes') return String(Math.round(amount));
  const power = Math.min(MEASURES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, amount)) / 3)));
  const digits = power === 0 ? 0 : 1;
  return `${(amount / 1000 ** power).toFixed(digits)} ${MEASURES[power] ?? ''}`;
};

/** Below ten with a decimal place: `0.4/s`, `12/s`, `3.1 MB/s`. */
export const rateText = (perSecond: number, unit: Unit): string =>
  unit !== 'bytes' && perSecond > 0 && perSecond < 10
    ? `${Number(perSecond.toFixed(1))}/s`
    : `${amountText(perSecond, unit)}/s`;

/** `0.4 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export const durationText = (seconds: number): string => {
  if (seconds > 0 && seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return twoPlaces(minutes, 'min', whole % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return twoPlaces(hours, 'h', minutes % 60, 'min');
  return twoPlaces(Math.floor(hours / 24), 'd', hours % 24, 'h');
};

const twoPlaces = (first: number, of: string, second: number, ofThat: string): string =>
  second === 0 ? `${first} ${of}` : `${first} ${of} ${second} ${ofThat}`;
