import { candidateTexts } from './console-candidates.js';
import { roleTexts } from './console-roles.js';
import { settingsTexts } from './console-settings.js';
import { signalTexts } from './console-signal.js';

/** Every text of the staff's console in English; other languages have the same. A section for each page. */
export const consoleTexts = {
  name: 'English',
  skip: 'Skip to the content',
  language: 'Language',
  organisation: 'Organisation',
  signOut: 'Sign out',
  offline: 'No connection. What you typed stays here. Try again when you are back online.',
  unloaded: { text: 'This page did not load completely. Check your connection.', again: 'Load it again' },
  nav: {
    label: 'Pages',
    home: 'Home',
    roles: 'Roles',
    candidates: 'Candidates',
    evaluations: 'Evaluations',
    signal: 'Signal',
    settings: 'Settings',
  },
  memberRole: { owner: 'Owner', admin: 'Admin', recruiter: 'Recruiter', reviewer: 'Reviewer' },
  actors: {
    staff: 'Member',
    api_key: 'API key',
    candidate: 'Candidate',
    operator: 'Operator',
    share_link: 'Share link',
    system: 'The service',
  },
  actor: (kind: string, id: string) => (id === '' ? kind : `${kind} ${id}`),
  signIn: {
    title: 'Sign in to Assay',
    loading: 'Signing in …',
    what: 'Assay runs hiring assessments: candidates work on tasks and talk about them, and every score leads to what it rests on.',
    text: 'Here members of a hiring team sign in.',
    candidates: 'Were you invited to an assessment? Open the link in your invitation.',
    button: 'Sign in',
    leaving: 'Opening the sign-in …',
    development: 'In development anybody can sign in, with any address and without a password.',
    developmentEmail: 'E-mail address',
    because: {
      failed: 'We couldn’t sign you in. The sign-in was cancelled, or something went wrong. Try again.',
      left: 'You are signed out.',
      unavailable: 'The service cannot be reached. Check your connection and try again.',
    },
    ended: 'Sign-in',
    endedBecause: {
      over: 'Your sign-in has ended. Sign in again: a window opens, and this page stays as it is.',
      failed: 'We couldn’t sign you in. Try again: this page stays as it is.',
      'other person': 'Somebody else has signed in. Sign in as the person who opened this page.',
    },
    elsewhere: 'You are signed in. You can close this window.',
  },
  noMember: {
    title: 'You cannot open this organisation',
    text: (email: string) => `${email} is not a member of it, or it does not exist.`,
    none: 'You are not a member of an organisation',
    noneText: (email: string) =>
      `You are signed in as ${email}. Ask an owner or admin of your organisation to add this address.`,
    make: 'Name of a new organisation',
    makeHint: 'In development anybody can make one. You become its owner.',
    makeButton: 'Make an organisation',
    operator: 'Who runs this service makes an organisation by',
    other: 'Sign in as somebody else',
  },
  unknown: {
    title: 'Page not found',
    text: 'This page does not exist, or your role in this organisation does not include it.',
    home: 'Go to the first page',
  },
  wait: {
    loading: (what: string) => `Loading ${what} …`,
    long: 'This takes longer than usual. You can wait, or load the page again.',
  },
  failure: {
    retry: 'Try again',
    signInAgain: 'Sign in again',
    unknown: 'Something went wrong on this page. Try again.',
    reference: (requestId: string) => `If it happens again, tell your operator this number: ${requestId}.`,
    byCode: {
      no_answer: 'There was no answer. Check your connection and try again.',
      timeout: 'There was no answer in time. Try again.',
      missing_token: 'Your sign-in has ended.',
      invalid_token: 'Your sign-in has ended.',
      forbidden: 'Your role in this organisation does not allow this.',
      not_found: 'Not found. It may have been removed.',
      erased: 'This candidate was erased.',
      version_mismatch: 'Somebody else changed this meanwhile. Load the page again.',
      rate_limited: 'Too many requests. Wait a moment and try again.',
      unavailable: 'The service is not available at the moment. Try again.',
      internal: 'Something went wrong in the service.',
    },
  },
  table: { pages: 'Pages of the list', first: 'First page', next: 'Next page' },
  form: {
    sending: 'Saving …',
    cancel: 'Cancel',
    close: 'Close',
    unsaved: 'What you changed is not saved. Leave all the same?',
  },
  home: {
    title: 'Home',
    what: 'what waits',
    nothing: 'Nothing waits for you',
    nothingText: 'There is nothing that you can do at the moment.',
    begin: 'Define a role first, then invite candidates to it.',
    toRoles: 'Go to the roles',
    toCandidates: 'Go to the candidates',
    waits: {
      outcome: { name: 'Outcomes to record', text: 'Completed assessments without an outcome.' },
      contested: {
        name: 'Contests to answer',
        text: 'Candidates who dispute something in their evaluation.',
      },
      expiring: { name: 'Expiring soon', text: 'Open assessments that end within 3 days.' },
      accommodation: {
        name: 'Accommodations asked for',
        text: 'Candidates who asked for one and have none yet.',
      },
      failed: { name: 'Failed evaluations', text: 'They can be generated again.' },
      overdue: { name: 'Overdue evaluations', text: 'In generation for more than 15 minutes.' },
      erasure: { name: 'Erasures asked for', text: 'Candidates who asked to be erased.' },
    },
  },
  ...roleTexts,
  ...candidateTexts,
  ...signalTexts,
  ...settingsTexts,
};

export type ConsoleTexts = typeof consoleTexts;
