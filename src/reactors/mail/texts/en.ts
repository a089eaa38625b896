import { type MailTexts, timeIn } from './texts.js';

const time = timeIn('en-GB');

/** English. */
export const EN: MailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
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
