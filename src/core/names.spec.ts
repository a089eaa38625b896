import { describe, expect, it } from '@jest/globals';
import { harmlessName, nameFault, addressIn } from './names.js';

describe('a name in a mail', () => {
  it.each([
    'Booking.com',
    'booking.com',
    'Booking.com Deutschland GmbH',
    'Amazon.co.uk',
    'Node.js',
    'Senior Node.js Engineer (Next.js/Nest.js)',
    'ASP.NET Core',
    'Senior ASP.NET/C# Developer',
    'Engineer, .NET and ASP.NET Core 8.0',
    'Backend (Socket.io)',
    'Müller GmbH & Co.KG',
    'Müller & Söhne e.V.',
    'AC/DC and/or TCP/IP, CI/CD',
    'C++/C#',
    'St. Mary’s Hospital, U.S.A.',
    'Dr. O’Neill, Ph.D., M.Sc.',
    'Sr.Dev',
    'Version 1.2.3.4',
    'Engineer: Python 3.12/Django',
    'main.py and index.ts',
    '24/7 support, 50% remote',
    'Acme: data, ops & more...',
    'أحمد بن محمد',
    'שלמה',
    '山田太郎。山田',
    '👩‍💻 Engineer',
    'a.b.c.d',
    '...',
    'Tel: 030/1234',
    'Engineer @ Acme',
    'C# @acme',
    'What is 1+1=? (quiz)',
    'a=?b',
    'Engineer@Acme',
    'Node.js@22.1.0',
  ])('may be %j', (name) => {
    expect(nameFault(name)).toBeNull();
    expect(harmlessName(name)).toBe(name);
  });

  it.each([
    ['https://evil.example', 'https://evil.example'],
    ['Engineer http://evil', 'http://evil'],
    ['Engineer (HTTPS://EVIL.example/x)', 'HTTPS://EVIL.example/x'],
    ['javascript:alert(1)', 'javascript:alert'],
    ['www.evil.example', 'www.evil.example'],
    ['Win at WWW.evil', 'WWW.evil'],
    ['evil.com/login', 'evil.com/login'],
    ['Engineer evil.com/login now', 'evil.com/login'],
    ['evil.com?x=1', 'evil.com?x=1'],
    ['evil.com:8080', 'evil.com:8080'],
    ['t.co/abc', 't.co/abc'],
    ['192.0.2.1/login', '192.0.2.1/login'],
    ['192.0.2.1:8080', '192.0.2.1:8080'],
    ['Your account is locked: evil.com', 'evil.com'],
    ['Please verify at login.evil.com.', 'login.evil.com'],
    ['Please verify at evil.de, today', 'evil.de'],
    ['Your parcel is at “evil.shop”', 'evil.shop'],
    ['Your parcel is at evil．com', 'evil．com'],
    ['Your parcel is at ｅｖｉｌ.com', 'ｅｖｉｌ.com'],
    ['Your parcel is at evil.xn--p1ai', 'evil.xn--p1ai'],
    ['Your account is locked 👉evil.com', 'evil.com'],
    ['Your account is locked →evil.com', 'evil.com'],
    ['👉www.evil', 'www.evil'],
    ['•evil.com/x', 'evil.com/x'],
    ['Your account is locked: \u200bevil.com', 'evil.com'],
    ['Your account is at evil.com\u2060, today', 'evil.com'],
    ['Your account is at so\u00adevil.com', 'evil.com'],
    ['See ¿evil.com? Today', 'evil.com'],
    ['Your account is locked、evil.com', 'evil.com'],
    ['Your account is locked:evil.com', 'locked:evil.com'],
    ['Your account is locked=evil.com', 'locked=evil.com'],
    ['Your account/evil.com is locked', 'account/evil.com'],
    ['x:evil.com/x', 'x:evil.com/x'],
    ['Your parcel\u00a0is\u2003at\u2028evil.com', null],
  ])('must not be %j, which holds %j', (name, address) => {
    expect(nameFault(name)).not.toBeNull();
    if (address !== null) expect(nameFault(name)).toContain(`"${address}"`);
    expect(harmlessName(name)).not.toBe(name);
    expect(addressIn(harmlessName(name))).toBeNull();
  });

  it.each([
    'carol@example.org',
    'Carol (carol@example.museum)',
    'mailto:carol@example.org',
    'Hiring <carol@example.org>',
    'Ask carol@example.org, or dan@example.org.',
    'carol＠example．org',
    'Carol+jobs@büro.example/x',
  ])('must not be %j, which holds an e-mail address, and the fault does not repeat it', (name) => {
    expect(nameFault(name)).toBe('must not contain an e-mail address: mails would link to it.');
    expect(addressIn(harmlessName(name))).toBeNull();
  });

  it.each(['\u202e', '\u200f', '\u2066', '\u0000', '\n', '\t', '\u0085', '\u2028', '\u061c'])(
    'holds no control character and no mark of direction: %j',
    (sign) => {
      expect(nameFault(`Eng${sign}ineer`)).toContain('marks of direction');
      expect(nameFault(harmlessName(`Eng${sign}ineer`))).toBeNull();
    },
  );

  it.each(['=?utf-8?B?aHR0cHM6Ly9ldmlsLmNvbQ==?=', 'Engineer =?UTF-8?q?=E2=80=AE?=', 'at=?x?b?'])(
    'holds nothing that a mail program decodes in a header: %j',
    (name) => {
      expect(nameFault(name)).toContain('“=?…?”');
      expect(nameFault(harmlessName(name))).toBeNull();
    },
  );

  it.each([
    '.',
    'a.',
    'www.',
    '://',
    '=?',
    '=?a',
    ' .a',
    '-',
    'a-',
    '。',
    '\u202e',
    'evil.com ',
    'a@',
    'a@b.',
  ])('is checked in linear time: many of %j', (part) => {
    const began = performance.now();
    const name = part.repeat(100_000);
    nameFault(name);
    harmlessName(name);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
