import { candidateTexts } from './console-candidates.js';
import { roleTexts } from './console-roles.js';
import { settingsTexts } from './console-settings.js';
import { signalTexts } from './console-signal.js';
import { ticketTexts } from './console-tickets.js';

/**
 * Every text of the staff's console in English; other languages have the same. A section for each page. In all of them
 * `what…` completes "Loading {what} …", and `none…` replaces an empty list.
 */
export const consoleTexts = {
  name: 'English',
  skip: 'Skip to the content',
  language: 'Language',
  organisation: 'Organisation',
  signOut: 'Sign out',
  offline: 'No connection. What you typed stays here. Try again when you are back online.',
  nav: {
    label: 'Pages',
    home: 'Home',
    roles: 'Roles',
    tickets: 'Tasks',
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
    notSent: 'This service sends no e-mails: it shows them on a page.',
    outbox: 'Open the outbox',
    button: 'Sign in',
    people: 'Sign in as',
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
      conflict:
        'Something else was changed at the same time, or is in the way. Load the page again, then try once more.',
      version_mismatch:
        'Somebody else changed this meanwhile. You see it as it is now: send again if you still want to.',
      already_invited: 'There is an open application of this person for the role.',
      import_stopped:
        'Who began the import may no longer invite: the member was removed or has another role, or the API key has ended. Import the file again to go on.',
      role_archived: 'The role is in the archive.',
      role_draft: 'The role is a draft: something is missing.',
      mail_pending: 'This mail is still to be sent.',
      mail_resend_limited:
        'A mail is sent again at the earliest 10 minutes later, a reminder that you asked for one hour later, and each 5 times at most. Give the candidate the link by other means if it is urgent.',
      mail_pointless: 'What this mail is about is over, or the interview has begun.',
      already_member: 'This person is a member already.',
      last_owner: 'An organisation keeps at least one owner: make somebody else an owner first.',
      already_answered: 'This contest is answered already. Load the page again.',
      application_closed: 'The application has ended. Load the page again.',
      evaluation_generating: 'The evaluation is being generated. Try again when it is ready.',
      evaluation_not_ready: 'The evaluation is not ready yet.',
      session_ended: 'The assessment has ended. Load the page again.',
      not_started: 'The assessment has not begun yet.',
      trial_not_completed: 'The assessment has not been completed yet.',
      idempotency_key_reused: 'This was sent before with other words. Load the page again.',
      too_large: 'This is too large to be sent.',
      too_far: 'The list goes no further. Filter it.',
      view_parked: 'This cannot be shown at the moment. An operator has to mend it.',
      rate_limited: 'Too many requests. Wait a moment and try again.',
      unavailable: 'The service is not available at the moment. Try again.',
      internal: 'Something went wrong in the service.',
      unknown: 'Another server answered in place of the service. Check your connection and try again.',
    },
    /** With the figures of the service's sentence, in its order. */
    byRule: {
      required: 'This is missing.',
      notBlank: 'This must not be empty.',
      maxLength: (most: string) => `This is too long: at most ${most} characters.`,
      maxBytes: (most: string) => `This is too large as a whole: at most ${most} bytes.`,
      maxItems: (most: string) => `At most ${most} are possible.`,
      minItems: 'At least one is needed.',
      integer: 'This is not a whole number.',
      min: (least: string) => `A whole number of at least ${least}.`,
      max: (most: string) => `A whole number of at most ${most}.`,
      range: (least: string, most: string) => `A whole number from ${least} to ${most}.`,
      email: 'This is not an e-mail address. Look for signs that do not belong in one.',
      future: 'This time has passed.',
      atLeastOne: 'Choose at least one.',
      candidate: 'The whole e-mail address of one of your candidates, or a text without @.',
      consistent: 'This does not go with the other parts of the task: change one of them.',
      logo: 'This picture cannot be taken. It has to be a whole PNG or JPEG file that does not move, of at most 200 KB and 1,024 × 1,024 pixels.',
      timeZone: 'There is no time zone of this name.',
      target:
        'The address begins with https:// and leads to a host in the public internet. It holds no user name and no part after #.',
      name: 'This name stands in mails: no link, no e-mail address and no sign that cannot be seen.',
      inMails: 'This name stands in mails: no link, no e-mail address and no sign that cannot be seen.',
      pattern: 'One line of text without an e-mail address (no @).',
    },
  },
  notLoaded: {
    title: 'This page did not load',
    text: 'Your connection may be lost, or there is a new version of the console.',
    again: 'Load it again',
  },
  table: {
    pages: 'Pages of the list',
    first: 'First page',
    next: 'Next page',
    export: 'Export as CSV',
    file: 'the file',
  },
  form: {
    blank: 'This must not be empty.',
    sending: 'Saving …',
    cancel: 'Cancel',
    /** Before the value that is saved. */
    now: 'Now:',
    close: 'Close',
    unsaved: 'What you changed is not saved. Leave all the same?',
    incomplete: (count: number) =>
      count === 1 ? '1 field has to be corrected.' : `${count} fields have to be corrected.`,
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
  ...ticketTexts,
  ...candidateTexts,
  ...signalTexts,
  ...settingsTexts,
};

export type ConsoleTexts = typeof consoleTexts;
