import { expect, test } from 'vitest';
import { definitionsOf } from '../../src/pipeline/definitions.ts';

const at = (text: string): readonly string[] => definitionsOf(text.split('\n'));

test('a line belongs to the definitions around it, from the outside in', () => {
  expect(
    at(`import x from 'x';
export class Store extends Base {
  private async save(item) {
    if (item) {
      this.put(item);
    }
  }
}
const after = 1;`),
  ).toEqual([
    '',
    'Store',
    'Store.save',
    'Store.save',
    'Store.save',
    'Store.save',
    'Store.save',
    'Store.save',
    '',
  ]);
});

test.each([
  ['def pay(self):', '    x = 1', 'pay'],
  ['func (s *Store) Save(item Item) error {', '\tx := 1', 'Save'],
  ['pub(crate) fn save(&self) -> Result<()> {', '    let x = 1;', 'save'],
  ['public static void main(String[] args) {', '    int x = 1;', 'main'],
  ['export const save = async (item: Item): Promise<void> => {', '  put(item);', 'save'],
  ['module.exports.save = function (item) {', '  put(item)', 'module.exports.save'],
  ["test('saves twice', async () => {", '  put(item)', 'test(saves twice)'],
  ['if (item) {', '  put(item)', ''],
])('"%s" opens a definition', (opening, inside, name) => {
  expect(at(`${opening}\n${inside}`)[1]).toBe(name);
});
