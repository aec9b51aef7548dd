import { parseSync } from 'oxc-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineFinder } from '../../../src/pipeline/line-finder.ts';
import { readEcmascriptSignals } from '../../../src/pipeline/signals/ecmascript.ts';
import { mayHaveSurfaces } from '../../../src/pipeline/signals/ecmascript-surfaces.ts';
import type { FileSignals } from '../../../src/pipeline/signals/file-signals.ts';

const signalsOf = (text: string, hasTree = false): FileSignals => {
  const parsed = parseSync('file', text, { lang: 'ts', sourceType: 'module' });
  expect(parsed.errors).toEqual([]);
  return readEcmascriptSignals({
    text,
    module: parsed.module,
    program: () => parsed.program,
    hasTree,
    lineOf: createLineFinder(text),
  });
};

const shown = (text: string): readonly string[] =>
  signalsOf(text).surfaces.map(
    ({ line, kind, name, framework, confidence }) =>
      `${line} ${kind} ${name} (${framework} ${confidence})`,
  );

describe('routes', () => {
  test('of a server that is made by a known framework, whatever it is called', () => {
    expect(
      shown(`import express, { Router } from 'express';
const shop = express();
const cart = Router();
shop.get('/items/:id', (req, res) => res.end());
cart.post('/cart', check, (req, res) => res.end());
cart.route('/cart/:id')
  .get(show)
  .delete(remove);
shop.use('/api', cart);
shop.get('view engine');
shop.get('title', 'x');
`),
    ).toEqual([
      '4 route GET /items/:id (express 1)',
      '5 route POST /cart (express 1)',
      '7 route GET /cart/:id (express 1)',
      '8 route DELETE /cart/:id (express 1)',
    ]);
  });

  test('of frameworks that are required, and of those with options or objects', () => {
    expect(
      shown(`const fastify = require('fastify')({ logger: true });
fastify.get('/a', { schema: {} }, async () => 1);
fastify.route({ method: ['GET', 'HEAD'], url: '/b', handler() {} });
const Hapi = require('@hapi/hapi');
const start = async () => {
  const inn = Hapi.server({ port: 1 });
  inn.route([{ method: 'POST', path: '/c', handler: () => 1 }]);
};
const Koa = require('@koa/router');
const r = new Koa();
r.put(\`/d\`, handler);
`),
    ).toEqual([
      '2 route GET /a (fastify 1)',
      '3 route GET /b (fastify 1)',
      '3 route HEAD /b (fastify 1)',
      '7 route POST /c (@hapi/hapi 1)',
      '11 route PUT /d (@koa/router 1)',
    ]);
  });

  test('of a server that a plugin is given are less sure', () => {
    expect(
      shown(`export default async function plugin(fastify: any) {
  fastify.get('/a', async () => 1);
  fastify.get('/b', 5);
}
`),
    ).toEqual(['2 route GET /a (unknown 0.6)']);
  });

  test('are not what asks a server, reads a map or only looks like one (W29)', () => {
    expect(
      shown(`import express from 'express';
import request from 'superagent';
import axios from 'axios';
const app = express();
request(app).get('/x').expect(200, done);
request(app).get('/x', done);
axios.get('/x', options);
const api = axios.create();
api.get('/x', options);
const map = new Map();
map.get('/x', fallback);
// app.get('/comment', handler)
const text = "app.get('/string', handler)";
`),
    ).toEqual([]);
  });

  test('of a test are not even looked for (W36)', () => {
    expect(
      shown(`import test from 'node:test';
import express from 'express';
const app = express();
app.get('/x', (req, res) => res.end());
`),
    ).toEqual([]);
  });

  test('of Nest come from decorators of its packages only', () => {
    expect(
      shown(`import { Controller, Get, Post as Write } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { Cron } from '@nestjs/schedule';
import { Patch, Query } from './own.js';
@Controller('cats')
export class Cats {
  @Get(':id') one() {}
  @Write() make() {}
  @MessagePattern('cat.made') onMade() {}
  @Cron('0 * * * *') sweep() {}
  @Query() other() {}
  @Patch('x') another() {}
}
`),
    ).toEqual([
      '7 route GET /cats/:id (@nestjs/common 1)',
      '8 route POST /cats (@nestjs/common 1)',
      '9 queue cat.made (@nestjs/microservices 0.9)',
      '10 schedule 0 * * * * (@nestjs/schedule 0.9)',
    ]);
  });
});

test('queues, clocks, sockets and commands are known by the package that calls back', () => {
  expect(
    shown(`import { Worker } from 'bullmq';
import cron from 'node-cron';
import { WebSocketServer } from 'ws';
import { program } from 'commander';
new Worker('mail', async () => {});
cron.schedule('* * * * *', () => {});
const wss = new WebSocketServer();
wss.on('connection', (socket) => {});
wss.on('error', fail);
program.name('x').command('serve <port>').action(run);
const { schedule } = cron;
emitter.on('connection', fail);
`),
  ).toEqual([
    '5 queue mail (bullmq 0.9)',
    '6 schedule * * * * * (node-cron 0.9)',
    '8 socket connection (ws 0.9)',
    '10 command serve <port> (commander 0.9)',
  ]);
});

test('the tree is read only where an entrance may be, and branches are counted with it', () => {
  const plain = 'export const a = 1;\nexport default function b() { if (a) return a && 2; }\n';
  expect(mayHaveSurfaces(plain)).toBe(false);
  expect(signalsOf(plain)).toEqual({ surfaces: [], exports: ['a', 'default'] });
  expect(signalsOf(plain, true).branches).toBe(2);
});

test('signals never throw, whatever parses', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'app',
          '.get',
          '(',
          ')',
          "'/x'",
          ',',
          '@Get',
          '{',
          '}',
          'new ',
          'Worker',
          '=>',
          '`',
          '...',
          "require('express')",
          ' = ',
          'const ',
          '[',
          ']',
          'await ',
          ';',
          '\n',
        ),
        { maxLength: 30 },
      ),
      (tokens) => {
        const text = tokens.join('');
        const parsed = parseSync('file', text, { lang: 'ts', sourceType: 'module' });
        readEcmascriptSignals({
          text,
          module: parsed.module,
          program: () => parsed.program,
          hasTree: true,
          lineOf: createLineFinder(text),
        });
      },
    ),
  );
});

test('a long chain of calls is cheap', () => {
  const text = `const a = require('express')();\na${".get('/x', f)".repeat(3000)};\n`;
  expect(signalsOf(text).surfaces.length).toBeGreaterThan(0);
});
