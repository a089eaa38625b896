import {
  type AiPolicyTexts,
  type MailTexts,
  type NoticeText,
  paragraphs,
  quoted,
  shownSign,
  type SignInTexts,
  type UnloadedTexts,
  waitIn,
} from './shapes.js';
import { timesIn } from './times.js';

const time = timesIn('en-GB', 'full');
const wait = waitIn('en-GB', (hours) => `in about ${hours} hours`);

/** For pages whose script does not run. */
export const unloaded: UnloadedTexts = {
  text: 'This page did not load completely. Check your connection and load it again. If that does not help, use a current version of your browser, or another browser.',
  again: 'Load the page again',
  noScript: 'This page needs JavaScript. Allow it for this site, or use another browser.',
};

/** The mails to candidates. */
export const mails: MailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  interviewInEnglish: 'The interview is held in English.',
  invitation: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `Your invitation from ${organisationName}: ${roleName}`,
    paragraphs: [
      `${organisationName} invites you to an assessment for the role “${roleName}”.`,
      'The link leads to a page that explains what to expect, what is recorded and who sees it. You decide there whether you take part.',
      `You can begin at any time until ${time(expiresAt, timeZone)}.`,
    ],
    button: 'Open the invitation',
  }),
  reminder: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `Open until ${time(expiresAt, timeZone)}: ${roleName}`,
    paragraphs: [
      `Your assessment for the role “${roleName}” at ${organisationName} is still open.`,
      `It ends on ${time(expiresAt, timeZone)}. After that time you can no longer take part.`,
      'If you do not want to take part, you need not do anything.',
    ],
    button: 'Go to the assessment',
  }),
  extension: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `New time limit for your assessment: ${roleName}`,
    paragraphs: [
      `${organisationName} has changed the time limit of your assessment for the role “${roleName}”.`,
      `You now have until ${time(expiresAt, timeZone)}.`,
    ],
    button: 'Go to the assessment',
  }),
  receipt: ({ organisationName, roleName }) => ({
    subject: `Received: your assessment for ${roleName}`,
    paragraphs: [
      `Your assessment for the role “${roleName}” is complete. ${organisationName} has received it.`,
      'People at the organisation decide what happens next and tell you. Behind the link you see what is kept about you.',
    ],
    button: 'See what is kept',
  }),
  cancellation: ({ organisationName, roleName }) => ({
    subject: `Your assessment for ${roleName} was cancelled`,
    paragraphs: [
      `${organisationName} has cancelled your assessment for the role “${roleName}”. You need not do anything.`,
      'If you have questions, ask the organisation.',
    ],
    button: null,
  }),
  erasure: ({ organisationName }) => ({
    subject: `Your data at ${organisationName} was erased`,
    paragraphs: [
      `What was kept here for ${organisationName} about you was erased for good.`,
      'Your e-mail address was erased too, so this is the last message about it.',
    ],
    button: null,
  }),
  footer: (organisationName) =>
    `This message was sent automatically for ${organisationName}, because this address was invited to an assessment. If you did not expect it, you can ignore it.`,
};

/** A further paragraph of the notice of a role with an AI policy, also of its own notice. */
export const aiPolicies: AiPolicyTexts = {
  forbidden: () =>
    '**AI assistants.** You may not use AI assistants in this assessment, neither for the tasks nor for your answers.',
  allowed: () =>
    '**AI assistants.** You may use AI assistants in this assessment. You are asked about what you hand in as your own work.',
  provided: (who) =>
    `**AI assistants.** You may use the AI assistant that ${quoted(who)} provides for this assessment, and no other.`,
};

/** The notice of a role that has none of its own. */
export const notice: NoticeText = ({
  organisation: { name, recordAudio, retentionDays },
  roleName,
  participants,
}) => {
  const who = quoted(name);
  const { interviewer, scorer, transcriber, synthesiser, detector } = participants;
  return paragraphs(
    `**Who asks.** ${who} invites you to this assessment for the role “${quoted(roleName)}” and decides what follows from it.`,
    `**What is recorded.** Your answers and messages as text, with their times; the tasks that you start and finish; and what is reported of your work, such as changed files, test runs and pasted text. This page reports how much you paste, never the text. The program assay-work, if you use it, watches the folder that you work in: it reports the names of changed files, how many lines changed and how many tests passed, never their content. ${
      recordAudio
        ? 'If you speak, your voice is recorded and kept too.'
        : 'If you speak, your words are kept as text; your voice is not kept.'
    } You may type instead at any time.`,
    `**Work that you hand in.** It is stored as you sent it. If a task has tests, they are run with it. A program compares it with what others handed in to ${who} for the same task. You are not shown their work, and they are not shown yours.`,
    `**Who interviews.** ${
      interviewer.kind === 'openai'
        ? 'An AI model asks the questions and may ask further ones about your answers.'
        : 'A program asks prepared questions. No AI chooses them.'
    } ${
      {
        browser: 'Your browser turns speech into text; some browsers send the sound to their maker for that.',
        command: 'A program of this service turns speech into text.',
        openai: 'An AI service turns speech into text.',
      }[transcriber.kind]
    }${synthesiser.kind === 'openai' ? ' An AI service speaks the questions.' : ''}`,
    `**Who scores.** ${
      scorer.kind === 'openai'
        ? 'An AI model scores what is recorded and the work that you hand in. It is shown both as text, is not told your name or address, and names the passages that each score rests on.'
        : 'A program scores what is recorded by fixed rules, without AI.'
    } The result is advice: people at ${who} decide.`,
    `**Signals of integrity.** Noted are long pauses before answers, large pastes, leaving the page or the full screen, changes of device, connection or network, and whether you signed in with the invited address; of work that you hand in also whether it came much sooner than the rest, whether test results that your programs report differ from those of the checks, and whether most of it is the same as in another candidate’s work. They are hints for people, never a verdict.${
      detector.kind === 'command' ? ' A program estimates whether texts were generated.' : ''
    }`,
    retentionDays === null
      ? `**How long it is kept.** Until ${who} erases it. You may ask for erasure at any time.`
      : `**How long it is kept.** It is erased after ${retentionDays} ${retentionDays === 1 ? 'day' : 'days'} without a further invitation, session or decision about you. You may ask for erasure earlier.`,
    `**A human instead.** If you would rather talk to a person, or need more time, typing only or captions, ask ${who} before you start.`,
  );
};

/** The pages of the sign-in, and the mail with its code. */
const SIGNS: Readonly<Record<string, string>> = {
  ' ': 'the space',
  '\t': 'the tab',
  '\n': 'the line break',
  '\r': 'the line break',
  ',': 'the comma',
  ';': 'the semicolon',
  ':': 'the colon',
  '.': 'the dot',
  '"': 'the quotation mark',
  '\\': 'the backslash',
};

const wrongSign: SignInTexts['wrongSign'] = ({ sign, fault, after }) => {
  if (fault === 'missing') return 'The @ is missing: an address is such as carol@example.org.';
  if (fault === 'at') return `Write @ in place of ${sign}.`;
  const place = after === '' ? 'at the beginning' : `after “${after}”`;
  return `Remove ${SIGNS[sign] ?? shownSign(sign)} ${place}.`;
};

export const signIn: SignInTexts = {
  signIn: 'Sign in',
  askEmail: 'Enter the e-mail address that your invitation was sent to. You will get a code by e-mail.',
  email: 'E-mail address',
  sendCode: 'Send me a code',
  wrongEmail: 'Enter an e-mail address, such as carol@example.org.',
  wrongSign,
  enterCode: 'Enter the code',
  codeSent: (email, minutes) =>
    `If ${email} was invited, a code is on its way to it. It is valid for ${minutes} minutes.`,
  newCodeSent: 'A new code is on its way. Only the newest code is valid.',
  code: 'Code from the e-mail',
  again: 'Send a new code',
  another: 'Use another address',
  notSent: 'This service sends no e-mails. It shows them on a page:',
  outbox: 'Open the outbox',
  noMail: 'No e-mail? Check your spam folder, and that this is the address that was invited.',
  wrongForm: (digits) => `Enter the ${digits} digits from the e-mail.`,
  wrongCode: (triesLeft) => `Incorrect code. ${triesLeft} ${triesLeft === 1 ? 'attempt' : 'attempts'} left.`,
  codeOver: 'This code has expired, was already used, or was entered wrongly too often. Ask for a new one.',
  tooManyCodes: (seconds) => `Too many codes were requested for this address. Try again ${wait(seconds)}.`,
  tooManyRequests: (seconds) => `Too many requests came from your network. Try again ${wait(seconds)}.`,
  codeUsed: 'You are signed in',
  codeUsedText: 'This code was used a moment ago in this browser.',
  goOn: 'Continue',
  tryAgain: 'Try again',
  toAssessment: 'Back to the assessment',
  failed: 'We couldn’t sign you in',
  over: 'This sign-in has ended',
  ended:
    'You may have completed it already, or begun it in another browser. Open the link in your invitation again.',
  unavailable: 'Sign-in is not available at the moment. Try again in a minute.',
  signOut: 'Sign out',
  askSignOut: 'After signing out, you need a new code to continue.',
  notSignOut: 'To stay signed in, open the link in your invitation.',
  signedOut: 'You are signed out',
  signedOutText: 'To sign in again, open the link in your invitation.',
  device: {
    title: 'Sign in a program',
    ask: 'Enter the code that the program shows in your terminal. Then you sign in by e-mail as usual.',
    code: 'Code from the terminal',
    wrong:
      'This code is wrong or has expired. Check it against the one in your terminal. If they are the same, start the program again to get a new one.',
    over: 'This code has expired or was already used. Start the program again to get a new one.',
    ended: 'If the program is not signed in, start it again, and enter the new code that it shows.',
    confirmTitle: 'Let this program act as you?',
    asks: (program, email) =>
      `The program ${program} asks to act as ${email}: to read your tasks, report what you do and hand in your work.`,
    shows: 'It must show this code:',
    onlyOwn:
      'Go on only if you started the program yourself, just now, on your own computer. If somebody else gave you the code or a link, stop: they could act as you.',
    yes: 'Yes, I started it',
    no: 'No, do not sign it in',
    signedIn: 'The program is signed in',
    signedInText: 'Go back to your terminal. You can close this page.',
    denied: 'The program is not signed in',
    deniedText: 'It has no access to your assessment. You can close this page.',
  },
  mail: (code, minutes) => ({
    subject: `${code} is your sign-in code`,
    intro: `Enter this code on the page where you asked for it. It is valid for ${minutes} minutes and can be used once.`,
    outro:
      'Nobody will ask you for this code by phone or e-mail. If you did not ask for it, you need not do anything: without it nobody can sign in as you.',
  }),
};
