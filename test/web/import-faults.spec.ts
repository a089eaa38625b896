import { describe, expect, it } from '@jest/globals';
import { checkedRows } from '../../src/api/imports/rows.js';
import { ApiError } from '../../src/http/api-error.js';
import { importTexts as german } from '../../src/languages/de/console-import.js';
import { importTexts as english } from '../../src/languages/en/console-import.js';
import { countOf, type Fault, faultsOf, faultText } from '../../web/staff/import/rows.js';

describe('what is wrong with a file', () => {
  /** The faults of the service's own check. */
  const refused = (csv: string): readonly Fault[] => {
    try {
      checkedRows(csv, '2027-01-01T00:00:00.000Z');
    } catch (error) {
      if (error instanceof ApiError) return faultsOf(error.details ?? []);
      throw error;
    }
    throw new Error('The file was not refused.');
  };
  const long = 'x'.repeat(201);
  const files = [
    'email\na@example.org',
    'candidateEmail',
    'candidateEmail,langauge\na@example.org,en',
    'candidateEmail,candidateEmail\na@example.org,b@example.org',
    'candidateEmail\n"a@example.org',
    'candidateEmail\n"a@example.org"b',
    'candidateEmail\na"b',
    'candidateEmail,candidateName\na@example.org,J\uFFFDrg',
    'candidateEmail,language\n,de\nnone,fr\na@example.org,\nA@example.org,,stray',
    `candidateEmail,candidateName,externalId\na@example.org,${long},${long}\nb@example.org,see example.org,`,
    'candidateEmail,expiresAt\na@example.org,2001-01-01T00:00:00Z\nb@example.org,soon',
    `candidateEmail\n${'none\n'.repeat(60)}`,
  ];

  it('is told in the reader’s language, whichever rule the service refuses it by', () => {
    const faults = files.flatMap(refused);
    expect(new Set(faults.map(({ rule }) => rule)).size).toBeGreaterThan(11);
    for (const texts of [english, german]) {
      const told = faults.map((fault) => [fault, faultText(fault, texts)] as const);
      expect(told.filter(([{ sentence }, text]) => text === null || text === sentence)).toEqual([]);
    }
    const [empty] = faultsOf([{ path: 'csv', rule: 'notBlank', message: 'csv must contain …' }]);
    expect(empty && faultText(empty, german)).toBe('Die Datei ist leer.');
    expect(refused('candidateEmail\n"a').map((fault) => faultText(fault, english))).toEqual([
      'Line 2 cannot be read: a quotation mark in it is missing or should be doubled.',
    ]);
    const [later] = faultsOf([{ path: 'rows[2].language', rule: 'later', message: 'Row 2, language: no.' }]);
    expect(later && faultText(later, german)).toBeNull();
  });

  it('tells a column that is named twice from an address that two rows have', () => {
    const [column] = refused('candidateEmail,candidateEmail\na@example.org,b@example.org');
    const [row] = refused('candidateEmail\na@example.org\nA@example.org');
    expect(column && faultText(column, english)).toBe('Another column has this name already.');
    expect(row && faultText(row, english)).toBe('A row above has this address already.');
  });

  it('is counted with the faults that the service does not name', () => {
    expect(countOf(refused(`candidateEmail\n${'none\n'.repeat(60)}`))).toBe(60);
    expect(countOf(refused('candidateEmail'))).toBe(1);
  });
});
