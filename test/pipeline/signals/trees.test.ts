import { describe, expect, test } from 'vitest';
import { readTreeSignals } from '../../../src/pipeline/signals/tree-signals.ts';
import { parseTree, registerGrammars, type Grammar } from '../../../src/pipeline/syntax-tree.ts';
import { required } from '../../../src/std/assert.ts';

const signalsOf = async (grammar: Grammar, text: string) =>
  readTreeSignals(grammar, required(await parseTree(grammar, text), 'the grammar is built'), text);

const shown = async (grammar: Grammar, text: string): Promise<readonly string[]> =>
  (await signalsOf(grammar, text)).surfaces.map(
    ({ line, kind, name, framework }) => `${line} ${kind} ${name} (${framework})`,
  );

test('every grammar knows the names of its branches, and an empty file has none', async () => {
  for (const grammar of registerGrammars()) {
    expect(await signalsOf(grammar, '')).toEqual({ branches: 0, surfaces: [], exports: [] });
  }
});

test.each([
  ['python', 'if a:\n  pass\nelif b and c:\n  pass\nfor x in y:\n  pass\n', 4],
  ['go', 'package a\nfunc f() { if x { }; for { }; switch y { case 1: } }\n', 3],
  ['java', 'class A { void f() { if (x) {} for (;;) {} try {} catch (E e) {} } }\n', 3],
  ['kotlin', 'fun f() { if (x) { }; while (y) { } }\n', 2],
  ['csharp', 'class A { void F() { if (x) {} foreach (var a in b) {} var c = d ? 1 : 2; } }\n', 3],
  ['ruby', 'if a\n  b\nend\nc while d\n', 2],
  ['php', '<?php if ($a) {} foreach ($b as $c) {} $d = $e ? 1 : 2;\n', 3],
  ['rust', 'fn f() { if x {} match y { 1 => {}, _ => {} } }\n', 3],
  ['c', 'void f() { if (x) {} for (;;) {} switch (y) { case 1: ; } }\n', 3],
  ['cpp', 'void f() { for (auto a : b) {} try {} catch (int e) {} }\n', 2],
] as const)('branches of %s', async (grammar, text, count) => {
  expect((await signalsOf(grammar, text)).branches).toBe(count);
});

describe('entrances', () => {
  test('Flask, FastAPI, Celery, click and a main guard', async () => {
    expect(
      await shown(
        'python',
        `from flask import Flask
from celery import shared_task
import click
shop = Flask(__name__)

@shop.route('/items/<int:id>', methods=['GET', 'post'])
def item(id): ...

@shop.get("/plain")
async def plain(): ...

@shared_task(bind=True)
def mail(): ...

@click.command()
def serve(): ...

@property
def no(): ...

@cache.get("/x")
def also_a_route_since_flask_is_here(): ...

if __name__ == '__main__':
    shop.run()
`,
      ),
    ).toEqual([
      '6 route GET /items/<int:id> (flask)',
      '6 route POST /items/<int:id> (flask)',
      '9 route GET /plain (flask)',
      '12 queue mail (celery)',
      '15 command serve (click)',
      '21 route GET /x (flask)',
      '24 command __main__ (python)',
    ]);
  });

  test('without a framework only a usual name counts', async () => {
    expect(
      await shown('python', "@cache.get('/x')\ndef a(): ...\n@router.post('/y')\ndef b(): ...\n"),
    ).toEqual(['3 route POST /y (unknown)']);
  });

  test('Django', async () => {
    expect(
      await shown(
        'python',
        `from django.urls import include, path
urlpatterns = [
    path('', views.home),
    path('items/<id>/', views.item, name='item'),
    path('api/', include('api.urls')),
]
`,
      ),
    ).toEqual(['3 route ANY / (django)', '4 route ANY /items/<id>/ (django)']);
  });

  test('Spring', async () => {
    expect(
      await shown(
        'java',
        `package a;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/api")
class Items {
  @GetMapping("/items/{id}")
  Item one() { return null; }
  @PostMapping
  void make() {}
  @KafkaListener(topics = "orders")
  void onOrder() {}
  @Override public String toString() { return ""; }
  public static void main(String[] args) {}
}
`,
      ),
    ).toEqual([
      '6 route GET /api/items/{id} (spring)',
      '8 route POST /api (spring)',
      '10 queue orders (spring)',
      '13 command main (jvm)',
    ]);
  });

  test('Spring in Kotlin, JAX-RS', async () => {
    expect(
      await shown(
        'kotlin',
        `import org.springframework.web.bind.annotation.*
@RestController
@RequestMapping("/api")
class Items {
  @GetMapping("/items")
  fun all() = 1
}
fun main() {}
`,
      ),
    ).toEqual(['5 route GET /api/items (spring)', '8 command main (jvm)']);
    expect(
      await shown(
        'java',
        `import jakarta.ws.rs.*;
@Path("/v1")
class A {
  @GET
  @Path("/b")
  String b() { return ""; }
}
`,
      ),
    ).toEqual(['4 route GET /v1/b (jax-rs)']);
  });

  test('ASP.NET', async () => {
    expect(
      await shown(
        'csharp',
        `[ApiController]
[Route("api/items")]
public class Items : ControllerBase {
  [HttpGet("{id}")]
  public Item One(int id) => null;
  [HttpPost]
  public void Make() {}
}
class P { static void Main(string[] args) { app.MapGet("/ping", () => "pong"); app.MapHub<Chat>("/chat"); list.Map(x); } }
`,
      ),
    ).toEqual([
      '4 route GET /api/items/{id} (asp.net)',
      '6 route POST /api/items (asp.net)',
      '9 socket /chat (asp.net)',
      '9 route GET /ping (asp.net)',
      '9 command Main (dotnet)',
    ]);
  });

  test('Rails, Sinatra and their jobs', async () => {
    expect(
      await shown(
        'ruby',
        `Rails.application.routes.draw do
  root 'home#index'
  get '/items/:id', to: 'items#show'
  resources :orders
  match 'old' => 'x#y', via: :all
end
`,
      ),
    ).toEqual([
      '2 route GET / (rails)',
      '3 route GET /items/:id (rails)',
      '4 route RESOURCES /orders (rails)',
      '5 route ANY /old (rails)',
    ]);
    expect(
      await shown('ruby', "require 'sinatra'\nget '/x' do\n  1\nend\nhash.get '/y'\nget '/z'\n"),
    ).toEqual(['2 route GET /x (sinatra)']);
    expect(
      await shown('ruby', 'class Mail < ApplicationJob\n  def perform(a)\n  end\nend\n'),
    ).toEqual(['2 queue Mail (active-job)']);
  });

  test('Laravel, Slim and Symfony', async () => {
    expect(
      await shown(
        'php',
        `<?php
Route::get('/items/{id}', [Items::class, 'show']);
Route::match(['get', 'post'], '/both', fn () => 1);
Cache::get('/x', 1);
`,
      ),
    ).toEqual(['2 route GET /items/{id} (laravel)', '3 route ANY /both (laravel)']);
    expect(
      await shown('php', "<?php\nuse Slim\\Factory;\n$app->post('/a', $h);\n$app->get('name');\n"),
    ).toEqual(['3 route POST /a (slim)']);
    expect(
      await shown(
        'php',
        "<?php\n#[Route('/blog')]\nclass Blog {\n  #[Route('/{slug}', name: 'show')]\n  public function show() {}\n}\n",
      ),
    ).toEqual(['4 route ANY /blog/{slug} (symfony)']);
  });

  test('Go: net/http and the routers, not the clients', async () => {
    expect(
      await shown(
        'go',
        `package main

import (
	"net/http"
)

func main() {
	http.HandleFunc("/a", a)
	mux.Handle("POST /b", b)
	resp, err := http.Get("/c")
}
`,
      ),
    ).toEqual(['7 command main (go)', '8 route ANY /a (net/http)', '9 route POST /b (net/http)']);
    expect(
      await shown(
        'go',
        'package web\nimport "github.com/gin-gonic/gin"\nfunc f(r *gin.Engine) {\n\tr.GET("/x", g)\n\tc.Get("key", x)\n}\n',
      ),
    ).toEqual(['4 route GET /x (gin)']);
  });

  test('Rust: actix, rocket, axum', async () => {
    expect(
      await shown(
        'rust',
        `use actix_web::get;
#[get("/a/{id}")]
async fn a() {}
#[derive(Debug)]
struct X;
fn main() {}
`,
      ),
    ).toEqual(['2 route GET /a/{id} (actix_web)', '6 command main (rust)']);
    expect(
      await shown(
        'rust',
        'use axum::Router;\nfn f() {\n  Router::new()\n    .route("/b", post(h));\n}\n',
      ),
    ).toEqual(['4 route POST /b (axum)']);
  });
});
