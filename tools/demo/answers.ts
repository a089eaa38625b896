import type { PlannedInterview, PlannedReply } from '../simulate/plan-interview.js';
import type { Skill } from './cast.js';
import type { Recordings } from './voice.js';

const replyOf = (text: string, recordings: Recordings | null): PlannedReply => ({
  ...{ text, activity: false, afterthought: null, drop: 'never', spoken: recordings !== null },
  recording: recordings?.get(text),
});

/**
 * Answers to questions that contain these words. Each candidate gives one of their skill's answers, by their place, so
 * that two candidates of a role differ.
 */
const FITTING: readonly (readonly [question: string, answers: Readonly<Record<Skill, readonly string[]>>])[] =
  [
    [
      'How did you find the cause of the fault?',
      {
        strong: [
          'I ran the example from the readme first and compared the totals by hand. Tea was off by one cent, so I wrote a test for half a cent, and that one failed.',
          'First I read the code from the input to the output. Then I added a test with three decimals, because floating point numbers cannot hold them exactly.',
        ],
        fair: [
          'I printed the totals after each line and looked where they went wrong.',
          'I tried the example, and then changed the rounding until it matched.',
        ],
        weak: ['I did not really find it.', 'Not sure.'],
      },
    ],
    [
      'Which input could still break your solution?',
      {
        strong: [
          'A file that does not fit into memory, because I read all of standard input first. For 10 million lines I would read line by line.',
          'An article name with a comma in it. The format has no quotes, so I refuse such a line and name its number.',
        ],
        fair: [
          'Maybe a price with more decimals than three.',
          'Empty lines were a problem, but I skip them now.',
        ],
        weak: ['None, I think.', 'I have not tried.'],
      },
    ],
    [
      'What would you change before this runs under ten times the load?',
      {
        strong: [
          'I would stream the lines and keep only the totals, so that memory depends on the number of articles. Then I would measure, because I expect the parsing to cost most.',
          'Nothing before I had measured it. If the regular expression shows up in the profile, I would split by hand.',
        ],
        fair: [
          'I would use a faster machine first and then look at the loop.',
          'Perhaps split the file into several parts.',
        ],
        weak: ['I do not know.', 'Nothing.'],
      },
    ],
    [
      'What did you decide against, and why?',
      {
        strong: [
          'I decided against a library for decimals. Whole numbers of tenths of a cent are enough here, and they are exact.',
          'I left out a nicer error message with the whole line, because a line may have a customer’s name in it.',
        ],
        fair: [
          'I did not write more tests because the time was over.',
          'I kept the old loop, since it worked.',
        ],
        weak: ['Nothing really.', 'I just wrote it.'],
      },
    ],
    [
      'What did you find in the data that surprised you?',
      {
        strong: [
          'A third of the accounts that left in the first month had never imported anything. I had expected prices to be the reason.',
          'Some customers were there twice, with two spellings of one address. Without them the churn falls from 9 to 7 per cent.',
        ],
        fair: [
          'There were many empty dates, which I left out.',
          'That March was so much lower than the other months.',
        ],
        weak: ['Nothing special.', 'It looked fine.'],
      },
    ],
    [
      'How did you check that your figures are right?',
      {
        strong: [
          'I computed the total a second way, from the invoices, and both agreed to the last customer. Then I read twenty rows by hand.',
          'Each step counts its rows, and the sums must agree. They did not at first, because of a join that doubled some rows.',
        ],
        fair: [
          'I looked at a few rows and they seemed right.',
          'I compared it with the figure from last month.',
        ],
        weak: ['The query ran without errors.', 'I trust the tool.'],
      },
    ],
    [
      'Which conclusion are you least sure of, and why?',
      {
        strong: [
          'That the import is the cause. It may be that both have the same reason, such as a small team. I would ask ten customers.',
          'The effect of the new price. There are only 41 customers after it, so a single large one changes the figure.',
        ],
        fair: [
          'The forecast, because two months are not much.',
          'The part about March, I had little time for it.',
        ],
        weak: ['All of it.', 'None.'],
      },
    ],
    [
      'How would you explain your result to somebody who has one minute?',
      {
        strong: [
          'Customers who import their data in the first week stay. So let us help with the import, and measure again in April.',
          'We lose 7 of 100 new customers a month, most of them before they see any value. That can be changed by the first week.',
        ],
        fair: ['I would show the chart and say that churn goes up.', 'Churn is about seven per cent.'],
        weak: ['I would send the file.', 'It is in the table.'],
      },
    ],
    [
      'How did you narrow the problem down?',
      {
        strong: [
          'I asked for the time of the last export that worked, and compared the settings of that day with today’s. The time zone had been changed in between.',
          'I tried the same steps in a fresh account. There it worked, so it had to be this customer’s data: one row without a date.',
        ],
        fair: ['I tried it in two browsers.', 'I read the logs from that morning and found an error.'],
        weak: ['I told them to restart.', 'I guessed.'],
      },
    ],
    [
      'How do you know that your solution works for this customer?',
      {
        strong: [
          'I ran their own file through it before I answered, and I asked them to export once more and tell me the number of rows: 1,204.',
          'I looked at their account an hour later, and the three exports since then were complete.',
        ],
        fair: ['It worked when I tried it myself.', 'They did not write again.'],
        weak: ['It should work.', 'I do not.'],
      },
    ],
    [
      'When would you have handed this request over, and to whom?',
      {
        strong: [
          'As soon as I had seen that rows were missing in the database too. Then it is no question of settings, and the data team should know within the hour.',
          'If I had needed access to the customer’s documents. That is for our security colleague to decide, not for me.',
        ],
        fair: ['After a day without progress, to a developer.', 'If the customer had asked for a manager.'],
        weak: ['Right away.', 'Never.'],
      },
    ],
    [
      'What would prevent this problem for other customers?',
      {
        strong: [
          'A warning beside the time zone that says what will change. I would also write a short article, because I found four older requests with the same cause.',
          'The import could refuse a row without a date and say which one it is. Until then I have added it to our answers.',
        ],
        fair: ['Better documentation of the export.', 'A hint in the settings.'],
        weak: ['No idea.', 'More support staff.'],
      },
    ],
  ];

/** Answers to any other question, which a candidate gives one after the other. */
const OTHERWISE: Readonly<Record<Skill, readonly string[]>> = {
  strong: [
    'No, thank you.',
    'One example: last spring an import failed for 3 of 200 customers. I compared their files with the others, found a byte order mark, and wrote a test before I changed the parser.',
  ],
  fair: ['I mostly look at an example and try it step by step.', 'No, I think that was all. Thank you.'],
  weak: ['I would have to look that up.', 'No.'],
};

const turnOf = <T>(items: readonly T[], place: number): T => {
  const item = items[place % items.length];
  if (item === undefined) throw new RangeError('There is nothing to say.');
  return item;
};

/** How a candidate of the demo answers in the interview, all to the end unless `silentFrom` is given. */
export const interviewOf = (candidate: {
  readonly skill: Skill;
  /** The candidate's number: chooses among the answers of one skill. */
  readonly place: number;
  /** The question from which on nothing is said any more, from 1; `null`: all are answered. */
  readonly silentFrom: number | null;
  /**
   * If given, all answers are spoken: one with a recording is sent as audio, any other as recognised by the candidate's
   * program; `null`: all are typed.
   */
  readonly recordings: Recordings | null;
}): PlannedInterview => {
  const { skill, place, silentFrom, recordings } = candidate;
  const otherwise = OTHERWISE[skill];
  return {
    replies: otherwise.map((_, at) => replyOf(turnOf(otherwise, place + at), recordings)),
    fitting: (question) => {
      const at = FITTING.findIndex(([words]) => question.includes(words));
      const known = FITTING[at];
      // Every third of these questions is too hard for a fair candidate.
      const said = skill === 'fair' && (at + place) % 3 === 0 ? 'weak' : skill;
      return known ? replyOf(turnOf(known[1][said], place), recordings) : null;
    },
    endsAt: null,
    ...(silentFrom !== null && { silentFrom }),
  };
};
