import {
  type MailTexts,
  type NoticeText,
  paragraphs,
  quoted,
  shownSign,
  type SignInTexts,
  timeIn,
  waitIn,
} from './shapes.js';

const time = timeIn('en-GB');
const wait = waitIn('en-GB', (hours) => `in about ${hours} hours`);

/** The mails to candidates. */
export const mails: MailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  interviewInEnglish: 'The interview is held in English.',
  invitation: ({ organisationName, roleName, expiresAt }) => ({
    subject: `Your invitation from ${organisationName}: ${roleName}`,
    paragraphs: [
      `${organisationName} invites you to an assessment for the role “${roleName}”.`,
      'The link leads to a page that tells you what awaits you, what is recorded and who sees it. You decide there whether you take part.',
      `You can begin at any time until ${time(expiresAt)}.`,
    ],
    button: 'Open the invitation',
  }),
  reminder: ({ organisationName, roleName, expiresAt }) => ({
    subject: `Open until ${time(expiresAt)}: ${roleName}`,
    paragraphs: [
      `Your assessment for the role “${roleName}” at ${organisationName} is still open.`,
      `It ends on ${time(expiresAt)}. After that time you can no longer take part.`,
      'If you do not want to take part, you need not do anything.',
    ],
    button: 'Go to the assessment',
  }),
  extension: ({ organisationName, roleName, expiresAt }) => ({
    subject: `New time limit for your assessment: ${roleName}`,
    paragraphs: [
      `${organisationName} has changed the time limit of your assessment for the role “${roleName}”.`,
      `You now have until ${time(expiresAt)}.`,
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
    `**What is recorded.** Your answers and messages as text, with their times; the tickets that you start and finish; and what is reported of your work, such as changed files, test runs and pasted text. ${
      recordAudio
        ? 'If you speak, your voice is recorded and kept too.'
        : 'If you speak, your words are kept as text; your voice is not kept.'
    } You may type instead at any time.`,
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
        ? 'An AI model scores what is recorded, and names the passages that each score rests on.'
        : 'A program scores what is recorded by fixed rules, without AI.'
    } The result is advice: people at ${who} decide.`,
    `**Signals of integrity.** Noted are long pauses before answers, large pastes, leaving the page or the full screen, changes of device, connection or network, and whether you signed in with the invited address. They are hints for people, never a verdict.${
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
  noMail: 'No e-mail? Look into your spam folder, and check that the address is the invited one.',
  wrongForm: (digits) => `Enter the ${digits} digits from the e-mail.`,
  wrongCode: (triesLeft) => `That code is not right. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`,
  codeOver: 'That code is not valid any more. Ask for a new one.',
  tooManyCodes: (seconds) => `Too many codes were asked for with this address. Try again ${wait(seconds)}.`,
  tooManyRequests: (seconds) => `Too many requests came from your network. Try again ${wait(seconds)}.`,
  codeUsed: 'You are signed in',
  codeUsedText: 'This code was used already, a moment ago in this browser.',
  goOn: 'Go on',
  tryAgain: 'Try again',
  toAssessment: 'Back to the assessment',
  failed: 'This sign-in cannot go on',
  ended: 'It has ended, or was begun in another browser. Open the link of your invitation again.',
  away: 'Sign-in is not available at the moment. Try again in a minute.',
  signOut: 'Sign out',
  askSignOut: 'Nobody else can go on with this browser afterwards without a new code.',
  notSignOut: 'To go on without signing out, open the link of your invitation.',
  signedOut: 'You are signed out',
  signedOutText: 'To sign in again, open the link of your invitation.',
  mail: (code, minutes) => ({
    subject: `${code} is your sign-in code`,
    intro: `Enter this code on the page where you asked for it. It is valid for ${minutes} minutes and can be used once.`,
    outro:
      'Nobody will ask you for this code by phone or e-mail. If you did not ask for it, you need not do anything: without it nobody can sign in as you.',
  }),
};
