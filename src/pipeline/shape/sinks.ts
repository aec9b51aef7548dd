import { z } from 'zod';
import type { FileFacts, LanguageFamily } from '../file-facts.ts';

/** What a defect in a file would reach: who may do what, kept data, money, files, other programs. */
export const sinkKind = z.enum(['auth', 'money', 'processes', 'persistence', 'files', 'network']);
export type SinkKind = z.infer<typeof sinkKind>;

export const sinkFact = z.object({
  kind: sinkKind,
  line: z.int().positive(),
  /** The module that is imported or the name that is defined. */
  name: z.string(),
  confidence: z.number().min(0).max(1),
});
export type SinkFact = z.infer<typeof sinkFact>;

/**
 * What a file touches, by the modules that it imports and the names of what it defines: at most one
 * of each kind, the surest. A path's words say nothing here.
 */
export const sinksOf = (facts: FileFacts): readonly SinkFact[] => {
  const found = new Map<SinkKind, SinkFact>();
  const add = (fact: SinkFact): void => {
    const known = found.get(fact.kind);
    if (known === undefined || known.confidence < fact.confidence) found.set(fact.kind, fact);
  };
  const patterns = MODULES[facts.family];
  for (const { specifier, kind, line } of facts.imports) {
    if (kind === 'type') continue;
    for (const [sink, pattern] of patterns) {
      if (pattern.test(specifier)) add({ kind: sink, line, name: specifier, confidence: 0.9 });
    }
  }
  for (const { name, line, kind } of facts.definitions ?? []) {
    if (kind === 'constant' || kind === 'type' || kind === 'interface') continue;
    const sink = byWords(name);
    if (sink !== undefined) add({ kind: sink, line, name, confidence: 0.6 });
  }
  for (const name of facts.signals?.exports ?? []) {
    const sink = byWords(name);
    if (sink !== undefined) add({ kind: sink, line: 1, name, confidence: 0.5 });
  }
  return [...found.values()].toSorted(
    (left, right) => RANK.indexOf(left.kind) - RANK.indexOf(right.kind),
  );
};

const RANK = sinkKind.options;

type Patterns = readonly (readonly [SinkKind, RegExp])[];
const any = (names: string): string => names.trim().split(/\s+/).join('|');

/** `jsonwebtoken`, `passport-jwt`, `pg/lib/x`: the package, whatever is taken from it. */
const npm = (names: string): RegExp => new RegExp(`^(?:node:)?(?:${any(names)})(?:[/-].*)?$`);
const dotted = (names: string): RegExp => new RegExp(`^(?:${any(names)})(?:[.:].*)?$`);
const slashed = (names: string): RegExp => new RegExp(`(?:^|/)(?:${any(names)})(?:/.*)?$`);
const back = (names: string): RegExp => new RegExp(`^\\\\?(?:${any(names)})(?:\\\\.*)?$`);

const MODULES: Readonly<Record<LanguageFamily, Patterns>> = {
  ecmascript: [
    [
      'auth',
      npm(
        'jsonwebtoken jose bcrypt bcryptjs argon2 scrypt passport oauth oauth2orize oidc openid-client next-auth @auth express-session cookie-session @fastify/jwt @fastify/session @fastify/cookie @nestjs/jwt @nestjs/passport @nestjs/throttler csurf csrf helmet keycloak @node-rs/argon2 @casl casbin lucia @clerk supertokens firebase-admin/auth speakeasy otplib',
      ),
    ],
    [
      'money',
      npm(
        'stripe @stripe braintree paypal @paypal square adyen razorpay mollie @mollie dinero.js currency.js paddle @lemonsqueezy',
      ),
    ],
    [
      'processes',
      npm(
        'child_process execa cross-spawn shelljs vm vm2 isolated-vm worker_threads cluster zx node-pty',
      ),
    ],
    [
      'persistence',
      npm(
        'pg pg-promise postgres mysql mysql2 mariadb sqlite sqlite3 better-sqlite3 mongodb mongoose redis ioredis typeorm sequelize knex prisma @prisma drizzle kysely objection mikro-orm @mikro-orm level leveldb lmdb cassandra-driver neo4j-driver @elastic/elasticsearch oracledb mssql tedious nedb lowdb @aws-sdk/client-dynamodb firebase-admin couchbase expo-sqlite sql.js react-native-sqlite-storage hdb-pool @sap/hana-client @google-cloud/spanner',
      ),
    ],
    [
      'files',
      npm(
        'fs fs-extra graceful-fs memfs formidable multer busboy @fastify/multipart adm-zip tar tar-fs unzipper archiver rimraf @aws-sdk/client-s3 sharp',
      ),
    ],
    [
      'network',
      npm(
        'http https http2 net dgram tls dns undici axios got node-fetch request superagent needle ky nodemailer',
      ),
    ],
  ],
  python: [
    [
      'auth',
      dotted(
        'jwt jose passlib bcrypt authlib oauthlib itsdangerous django.contrib.auth flask_login flask_jwt_extended fastapi.security fastapi_users argon2 allauth social_core ldap3 pyotp hmac secrets',
      ),
    ],
    [
      'money',
      dotted('stripe braintree paypalrestsdk paypalcheckoutsdk adyen razorpay mollie moneyed'),
    ],
    ['processes', dotted('subprocess pty pexpect paramiko fabric invoke multiprocessing ctypes')],
    [
      'persistence',
      dotted(
        'sqlalchemy sqlite3 psycopg psycopg2 asyncpg pymysql MySQLdb aiomysql mysql pymongo motor mongoengine redis django.db peewee tortoise databases cassandra elasticsearch neo4j sqlmodel alembic boto3 pickle shelve',
      ),
    ],
    ['files', dotted('shutil tempfile zipfile tarfile pathlib aiofiles glob')],
    [
      'network',
      dotted(
        'requests httpx aiohttp urllib urllib3 http socket ssl smtplib ftplib websockets grpc',
      ),
    ],
  ],
  go: [
    [
      'auth',
      slashed(
        'jwt jwt-go golang-jwt oauth2 bcrypt argon2 scrypt casbin go-oidc crypto/hmac sessions securecookie',
      ),
    ],
    ['money', slashed('stripe-go braintree-go paypal plutov/paypal')],
    ['processes', slashed('os/exec syscall plugin go-cmd')],
    [
      'persistence',
      slashed(
        'database/sql gorm gorm.io lib/pq pgx sqlx mongo-driver go-redis redigo bolt bbolt badger ent clickhouse-go go-sql-driver sqlite3 leveldb',
      ),
    ],
    ['files', slashed('os ioutil archive/zip archive/tar afero filepath')],
    ['network', slashed('net net/http net/smtp grpc resty websocket')],
  ],
  jvm: [
    [
      'auth',
      dotted(
        'org.springframework.security io.jsonwebtoken com.auth0 org.apache.shiro java.security javax.security jakarta.security javax.crypto org.keycloak com.nimbusds',
      ),
    ],
    [
      'money',
      dotted('com.stripe com.paypal com.braintreegateway com.adyen javax.money org.joda.money'),
    ],
    [
      'processes',
      dotted(
        'java.lang.ProcessBuilder java.lang.Runtime java.lang.Process org.apache.commons.exec javax.script com.jcraft.jsch',
      ),
    ],
    [
      'persistence',
      dotted(
        'java.sql javax.sql javax.persistence jakarta.persistence org.hibernate org.springframework.data org.springframework.jdbc com.mongodb redis.clients org.jooq org.mybatis org.apache.ibatis androidx.room org.jetbrains.exposed io.lettuce org.flywaydb java.io.ObjectInputStream',
      ),
    ],
    [
      'files',
      dotted(
        'java.nio.file java.io.File java.io.FileInputStream java.io.FileOutputStream java.io.FileReader java.io.FileWriter java.util.zip org.apache.commons.io org.springframework.web.multipart',
      ),
    ],
    [
      'network',
      dotted(
        'java.net java.net.http okhttp3 retrofit2 org.apache.http io.ktor.client io.grpc org.springframework.web.client',
      ),
    ],
  ],
  dotnet: [
    [
      'auth',
      dotted(
        'Microsoft.AspNetCore.Authentication Microsoft.AspNetCore.Authorization Microsoft.AspNetCore.Identity Microsoft.IdentityModel System.IdentityModel System.Security IdentityServer4 Duende Microsoft.Identity',
      ),
    ],
    ['money', dotted('Stripe PayPal Braintree Adyen')],
    [
      'processes',
      dotted('System.Diagnostics.Process System.Reflection.Emit System.Management.Automation'),
    ],
    [
      'persistence',
      dotted(
        'Microsoft.EntityFrameworkCore System.Data Dapper Npgsql MySql MongoDB StackExchange.Redis NHibernate Microsoft.Data System.Runtime.Serialization',
      ),
    ],
    ['files', dotted('System.IO')],
    ['network', dotted('System.Net RestSharp Refit Grpc')],
  ],
  rust: [
    [
      'auth',
      dotted('jsonwebtoken argon2 bcrypt oauth2 openidconnect axum_login actix_identity hmac'),
    ],
    ['money', dotted('stripe rusty_money')],
    ['processes', dotted('std::process tokio::process nix libc duct')],
    [
      'persistence',
      dotted(
        'sqlx diesel sea_orm rusqlite tokio_postgres postgres mongodb redis sled rocksdb mysql',
      ),
    ],
    ['files', dotted('std::fs tokio::fs tempfile zip tar walkdir')],
    ['network', dotted('reqwest hyper std::net tokio::net tonic tungstenite lettre')],
  ],
  ruby: [
    ['auth', slashed('devise jwt bcrypt omniauth oauth2 doorkeeper pundit cancancan openssl')],
    ['money', slashed('stripe braintree paypal money active_merchant')],
    ['processes', slashed('open3 pty shellwords childprocess posix-spawn')],
    [
      'persistence',
      slashed('active_record pg mysql2 sqlite3 mongoid redis sequel pstore yaml/store dalli'),
    ],
    ['files', slashed('fileutils tempfile pathname zip shrine carrierwave find')],
    ['network', slashed('net/http net/smtp open-uri faraday httparty socket rest-client httpx')],
  ],
  php: [
    [
      'auth',
      back(
        'Illuminate\\\\Support\\\\Facades\\\\(?:Auth|Hash|Gate) Illuminate\\\\Auth Symfony\\\\Component\\\\Security Firebase\\\\JWT Lcobucci\\\\JWT League\\\\OAuth2 Laravel\\\\(?:Sanctum|Passport)',
      ),
    ],
    ['money', back('Stripe PayPal Braintree Money Omnipay')],
    [
      'processes',
      back('Symfony\\\\Component\\\\Process Illuminate\\\\Support\\\\Facades\\\\Process'),
    ],
    [
      'persistence',
      back(
        'Illuminate\\\\Database Illuminate\\\\Support\\\\Facades\\\\(?:DB|Redis|Cache) Doctrine PDO mysqli MongoDB Predis',
      ),
    ],
    [
      'files',
      back(
        'Illuminate\\\\Support\\\\Facades\\\\(?:Storage|File) Symfony\\\\Component\\\\Filesystem League\\\\Flysystem ZipArchive',
      ),
    ],
    [
      'network',
      back(
        'GuzzleHttp Illuminate\\\\Support\\\\Facades\\\\Http Symfony\\\\Component\\\\HttpClient SoapClient',
      ),
    ],
  ],
  c: [
    ['auth', slashed('pam_appl.h crypt.h openssl/(?:hmac|evp).h sodium.h shadow.h')],
    ['money', /^(?!)/],
    ['processes', slashed('spawn.h sys/wait.h sys/ptrace.h dlfcn.h windows.h')],
    ['persistence', slashed('sqlite3.h libpq-fe.h mysql.h mysql/mysql.h hiredis.h lmdb.h')],
    ['files', slashed('fcntl.h sys/stat.h dirent.h fstream filesystem')],
    [
      'network',
      slashed('sys/socket.h netinet/in.h arpa/inet.h netdb.h curl/curl.h winsock2.h openssl/ssl.h'),
    ],
  ],
  manifest: [],
};

/** The words of a name: `verifyAccessToken` → verify access token. */
const byWords = (name: string): SinkKind | undefined => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const has = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));
  if (has(AUTH)) return 'auth';
  if (has(AUTH_ACTIONS) && has(AUTH_OBJECTS)) return 'auth';
  if (has(MONEY)) return 'money';
  return undefined;
};

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const AUTH = set(
  'authenticate authenticated authentication authorize authorized authorization login logout signin oauth jwt rbac acl csrf impersonate',
);
const AUTH_ACTIONS = set(
  'verify validate check issue sign hash compare reset refresh revoke grant has require change',
);
const AUTH_OBJECTS = set(
  'password passwords permission permissions credential credentials role roles access',
);
const MONEY = set(
  'payment payments charge refund refunds invoice invoices payout checkout billing withdraw deposit',
);
