import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

@Controller()
class Hello {
  @Get()
  greet(): string {
    return 'Hello';
  }
}

@Module({ controllers: [Hello] })
class HelloModule {}

/** The least that Nest on Fastify can be, in a process of its own. Prints its URL once it listens. */
const app = await NestFactory.create<NestFastifyApplication>(HelloModule, new FastifyAdapter());
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
