import type { InterviewTexts } from './shapes.js';

/** The interviewer's words. */
export const interview: InterviewTexts = {
  manner: 'plain spoken English',
  quote: (name) => `“${name}”`,
  and: 'and',
  or: 'or',
  greeting: (role) =>
    `Hello, and welcome to your interview${role === '' ? '' : ` for the role ${role}`}. I will ask you some questions, one after the other, and now and then for an example. Take your time, and tell me whenever I should repeat a question. Here is the first one.`,
  topics: {
    process: [
      {
        ask: (title) =>
          `The topic of this question: ${title} Please think of a recent piece of work where it mattered. How did you go about it, step by step?`,
        again: [
          (title) =>
            `Of course. I would like to know how you work when it comes to this topic: ${title} Take any task that you remember. What did you do first, and what came next?`,
          (title) =>
            `Let me put it simply. The topic: ${title} Tell me about one time when it was important, and what you did.`,
        ],
      },
      {
        ask: (title) =>
          `Next, I would like to hear about this topic: ${title} Tell me about a situation from your own work, what you decided, and why.`,
        again: [
          (title) =>
            `Gladly. The topic is this: ${title} Please describe one situation where it played a part. What did you decide then?`,
          (title) =>
            `In other words, the topic: ${title} How do you usually handle it? One real example is enough.`,
        ],
      },
      {
        ask: (title) =>
          `My next topic: ${title} When did it last go differently from what you had planned, and how did you deal with that?`,
        again: [
          (title) =>
            `Certainly. My topic: ${title} Think of a time when something about it did not go to plan. What happened, and what did you do?`,
          (title) =>
            `Let me ask it more simply. The topic: ${title} What was hard for you about it, and how did you solve it?`,
        ],
      },
    ],
    correctness: [
      {
        ask: (title) =>
          `My topic now: ${title} Tell me about something you made that had to be right. How did you make sure that it was?`,
        again: [
          (title) =>
            `Of course. It is about this topic: ${title} How did you check that your work was right? Please take one piece of work that you remember.`,
          (title) => `Let me put it simply. The topic: ${title} How do you know that your result is correct?`,
        ],
      },
      {
        ask: (title) =>
          `The next topic: ${title} Please describe a mistake that you found there. How did you find it, and how did you know that it was fixed?`,
        again: [
          (title) =>
            `Gladly. The topic is this: ${title} Think of something that was wrong, and that had to do with it. How did you notice, and what did you change?`,
          (title) => `In other words, the topic: ${title} Tell me about one problem with it that you solved.`,
        ],
      },
      {
        ask: (title) =>
          `I would also like to ask about this topic: ${title} How do you check your own work in it? Please take one real example.`,
        again: [
          (title) =>
            `Certainly. The topic is this: ${title} Say you have just finished some work that has to do with it. What do you do before you give it to others?`,
          (title) =>
            `More simply, the topic: ${title} What do you look at to see whether your work on it is good?`,
        ],
      },
    ],
    other: [
      {
        ask: (title) =>
          `I would like to hear about your experience with this topic: ${title} What have you done yourself?`,
        again: [
          (title) =>
            `Of course. The topic is this: ${title} What have you done so far that has to do with it?`,
          (title) =>
            `Let me put it simply. The topic: ${title} Give me one example of it from your own work.`,
        ],
      },
      {
        ask: (title) =>
          `Let us go on with this topic: ${title} Which piece of your work shows it best, and what was your part in it?`,
        again: [
          (title) =>
            `Gladly. The topic is this: ${title} Please choose one piece of work that has to do with it, and tell me what you did in it.`,
          (title) => `In other words, the topic: ${title} Where has it mattered in your work?`,
        ],
      },
    ],
  },
  unnamedTopic: 'this part of the work.',
  general: 'Please tell me about a recent piece of work that you are proud of. What was your part in it?',
  generalAgain: [
    'Of course. Take any work that you have done lately. What was it about, and what did you do yourself?',
    'Let me put it simply. What have you worked on, and what did you do?',
  ],
  ownAgain: [
    (text) => `Of course, here it is again. ${text}`,
    (text) => `I will say it once more. ${text} Any example from your own work will do.`,
  ],
  afterFollowUp: [
    'I was asking for a little more about the question before.',
    'I meant the same question as before, with an example if you can.',
  ],
  followUps: {
    short: [
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
    ],
    vague: [
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
    ],
  },
  closing: (hurried) =>
    hurried
      ? 'Our time is nearly over, so this is my last question. Is there anything that you would like to add?'
      : 'Thank you, those were my questions. Before we finish, is there anything that you would like to add?',
  closingAgain: [
    'Of course. I only wanted to know whether there is something that you would like to add before we finish.',
    'We are at the end. If you want to tell me anything else, you can do so now.',
  ],
};
