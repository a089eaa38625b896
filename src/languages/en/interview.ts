/**
 * The scripted interviewer's wordings. They are spoken aloud: short sentences, no symbols, nothing of an answer.
 * Which wording is taken depends on the question's place in the plan alone, so that all who apply for a role are asked
 * the same.
 */

type About = (name: string) => string;

/** A dimension's question, and the same in other words. */
interface Wording {
  readonly ask: About;
  readonly again: readonly [About, About];
}

const PROCESS: readonly Wording[] = [
  {
    ask: (name) =>
      `Let us talk about ${name}. Please think of a recent piece of work where it mattered. How did you go about it, step by step?`,
    again: [
      (name) =>
        `Of course. I would like to know how you work when it comes to ${name}. Take any task that you remember. What did you do first, and what came next?`,
      (name) => `Let me put it simply. Tell me about one time when ${name} was important, and what you did.`,
    ],
  },
  {
    ask: (name) =>
      `Next, I would like to hear about ${name}. Tell me about a situation from your own work, what you decided, and why.`,
    again: [
      (name) =>
        `Gladly. Please describe one situation where ${name} played a part. What did you decide then?`,
      (name) => `In other words, how do you usually handle ${name}? One real example is enough.`,
    ],
  },
  {
    ask: (name) =>
      `My next topic is ${name}. When did it last go differently from what you had planned, and how did you deal with that?`,
    again: [
      (name) =>
        `Certainly. Think of a time when something about ${name} did not go to plan. What happened, and what did you do?`,
      (name) => `Let me ask it more simply. What was hard for you about ${name}, and how did you solve it?`,
    ],
  },
];

const CORRECTNESS: readonly Wording[] = [
  {
    ask: (name) =>
      `Let us turn to ${name}. Tell me about something you made that had to be right. How did you make sure that it was?`,
    again: [
      (name) =>
        `Of course. It is about ${name}. How did you check that your work was right? Please take one piece of work that you remember.`,
      (name) =>
        `Let me put it simply. When it comes to ${name}, how do you know that your result is correct?`,
    ],
  },
  {
    ask: (name) =>
      `The next topic is ${name}. Please describe a mistake that you found there. How did you find it, and how did you know that it was fixed?`,
    again: [
      (name) =>
        `Gladly. Think of something that was wrong, and that had to do with ${name}. How did you notice, and what did you change?`,
      (name) => `In other words, tell me about one problem with ${name} that you solved.`,
    ],
  },
  {
    ask: (name) =>
      `I would also like to ask about ${name}. How do you check your own work in it? Please take one real example.`,
    again: [
      (name) =>
        `Certainly. Say you have just finished some work that has to do with ${name}. What do you do before you give it to others?`,
      (name) => `More simply, what do you look at to see whether your work on ${name} is good?`,
    ],
  },
];

const OTHER: readonly Wording[] = [
  {
    ask: (name) => `Please tell me about your experience with ${name}. What have you done yourself?`,
    again: [
      (name) => `Of course. What have you done so far that has to do with ${name}?`,
      (name) => `Let me put it simply. Give me one example of ${name} from your own work.`,
    ],
  },
  {
    ask: (name) =>
      `Let us go on with ${name}. Which piece of your work shows it best, and what was your part in it?`,
    again: [
      (name) =>
        `Gladly. Please choose one piece of work that has to do with ${name}, and tell me what you did in it.`,
      (name) => `In other words, where has ${name} mattered in your work?`,
    ],
  },
];

const wordings = (category: string): readonly Wording[] =>
  category === 'process' ? PROCESS : category === 'correctness' ? CORRECTNESS : OTHER;

/** @param place of the question in the plan, from 0 */
export const dimensionQuestion = (category: string, name: string, place: number): string =>
  pick(wordings(category), place).ask(nameOr(name));

/** The same in other words. @param time how often it was said in other words before, 0 or 1 */
export const dimensionAgain = (category: string, name: string, place: number, time: number): string =>
  pick(pick(wordings(category), place).again, time)(nameOr(name));

const nameOr = (name: string): string => (name === '' ? 'this part of the work' : name);

export const greeting = (roleName: string): string =>
  `Hello, and welcome to your interview${roleName === '' ? '' : ` for ${roleName}`}. I will ask you some questions, one after the other, and now and then for an example. Take your time, and tell me whenever I should repeat a question. Here is the first one.`;

/** Where a role has nothing to ask about. */
export const GENERAL_QUESTION =
  'Please tell me about a recent piece of work that you are proud of. What was your part in it?';
export const GENERAL_AGAIN: readonly [string, string] = [
  'Of course. Take any work that you have done lately. What was it about, and what did you do yourself?',
  'Let me put it simply. What have you worked on, and what did you do?',
];

/** A role's own question again: its words are not ours to change. */
export const ownAgain = (text: string, time: number): string =>
  time === 0
    ? `Of course, here it is again. ${text}`
    : `I will say it once more. ${text} Any example from your own work will do.`;

/** Before a question that is said again after it was asked about further. */
export const AFTER_FOLLOW_UP: readonly [string, string] = [
  'I was asking for a little more about the question before.',
  'I meant the same question as before, with an example if you can.',
];

const SHORT: readonly [readonly string[], readonly string[]] = [
  [
    'Could you say a little more about that? What exactly did you do?',
    'I would like to hear more. How did that go, from the beginning?',
    'Please go on. What was the situation, and what was your part in it?',
  ],
  [
    'Is there one example that you remember well? What happened, and how did it end?',
    'Perhaps one real case helps. What was the problem, and what did you do about it?',
    'Anything that comes to mind is fine. What would you do first, and why?',
  ],
];
const VAGUE: readonly [readonly string[], readonly string[]] = [
  [
    'Could you give me one example of that from your own work?',
    'Can you make that concrete with one case that you remember?',
    'When did you last do that, and how did it go?',
  ],
  [
    'What did you do yourself in it, and what came of it?',
    'Which tools or steps did you use, and why those?',
    'How did you notice that it worked, and what would you change today?',
  ],
];

/** Asks for more. @param time how often it was asked about this question before, 0 or 1 */
export const followUp = (quality: 'short' | 'vague', place: number, time: number): string =>
  pick(pick(quality === 'short' ? SHORT : VAGUE, time), place);

/** @param hurried the time is nearly over */
export const closingQuestion = (hurried: boolean): string =>
  hurried
    ? 'Our time is nearly over, so this is my last question. Is there anything that you would like to add?'
    : 'Thank you, those were my questions. Before we finish, is there anything that you would like to add?';

export const CLOSING_AGAIN: readonly [string, string] = [
  'Of course. I only wanted to know whether there is something that you would like to add before we finish.',
  'We are at the end. If you want to tell me anything else, you can do so now.',
];

/** The wording at that place; they are used in turn. */
const pick = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;
