import { describe, expect, it } from '@jest/globals';
import { fold, eventsOf } from '../../../test/support/given-when-then.js';
import { ROLE_TEMPLATES } from '../../languages/en/shapes.js';
import { LANGUAGES, ROLE_TEMPLATE_TEXTS } from '../../languages/languages.js';
import { createRole, role } from './decider.js';
import { templateDefinition, templateTicket } from './templates.js';

describe.each(LANGUAGES.flatMap((language) => ROLE_TEMPLATES.map((id) => [language, id] as const)))(
  'the template %s %s',
  (language, id) => {
    const definition = templateDefinition({ template: id, language });

    it('makes a role that can be invited to', () => {
      const decision = createRole(null, {
        ...{ organisationId: 'o', roleId: 'r', definition, dimensionIds: ['d1', 'd2'] },
      });
      expect(fold(role, [...eventsOf(decision)])?.status).toBe('ready');
    });

    it('weighs 100 in all, and asks about its own dimensions alone', () => {
      const { dimensions, questions } = definition;
      expect(dimensions.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      const names = dimensions.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect([...new Set(questions.map(({ dimensionName }) => dimensionName))].sort()).toEqual(names.sort());
    });

    it('has a ticket that fits into the time planned, and names each of its files that must be read', () => {
      const { description, estimatedMinutes, kind, starter } = templateTicket({
        template: id,
        language,
      });
      expect(estimatedMinutes).toBeLessThan(definition.timeFrameMinutes ?? 0);
      expect(kind).toBe(starter === null ? 'text' : 'files');
      const named = [...description.matchAll(/\b\w+\.(?:mjs|csv|html|md)\b/g)].map(([path]) => path);
      const paths = starter?.map(({ path }) => path) ?? [];
      expect(paths).toEqual(expect.arrayContaining(named));
      expect(paths).toEqual([...paths].sort());
    });

    it('has as many questions in each language, about the same', () => {
      const about = (of: typeof language) => ROLE_TEMPLATE_TEXTS[of][id].questions.map((one) => one.about);
      expect(about(language)).toEqual(about('en'));
    });
  },
);
