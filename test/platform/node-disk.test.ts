import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { diskContract } from '../contracts/disk.contract.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

diskContract('the disk of this machine', async () => ({
  disk: createNodeDisk(),
  directory: await temporaryFolder(),
}));
