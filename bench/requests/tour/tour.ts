// Takes the tour of docs/api.md with a client over what openapi-typescript has made of its description: tour.ts URL, with the key in
// SITEGRADE_KEY.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import type { components, paths } from "./client.ts";

const server = createServer((_, response) => {
	response.setHeader("Content-Type", "text/html; charset=utf-8");
	response.end("<!doctype html><html lang=en><title>A page of a small site</title><h1>A page</h1>");
});
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const api = createClient<paths>({ baseUrl: process.argv[2], headers: { Authorization: `Bearer ${process.env.SITEGRADE_KEY}` } });

// A change says only what it changes.
const makePrivate: components["schemas"]["Change"] = { privacy: 1 };

const made = await api.POST("/reports", { body: { url: `${site}/` } });
assert.ok(made.data && !Array.isArray(made.data.data), "one address gives one report");
assert.equal(made.data.data.status, "done");
const several = await api.POST("/reports", { body: { urls: [`${site}/`, "nonsense"] } });
assert.ok(several.data && Array.isArray(several.data.data) && several.data.data[1].error, "several addresses give one response each");
const queued = await api.POST("/reports", { body: { url: `${site}/about`, project: "Spring" }, params: { header: { Prefer: "respond-async" } } });
assert.equal(queued.response.status, 202);

const found = await api.GET("/reports", { params: { query: { search: "about", per_page: 25 } } });
assert.equal(found.data?.meta.total, 1);
const projects = await api.GET("/projects", { params: { query: { search: "spring" } } });
assert.equal(projects.data?.meta.total, 1);

const path = { id: made.data.data.id };
const shown = await api.GET("/reports/{id}", { params: { path } });
const result: "good" | "decent" | "bad" | null | undefined = shown.data?.data.result;
assert.ok(result && shown.data!.data.checks.length > 0);
const hidden = await api.PUT("/reports/{id}", { params: { path }, body: makePrivate });
assert.equal(hidden.data?.data.share_url, null);
const renewed = await api.PUT("/reports/{id}", { params: { path }, body: { results: 1 } });
assert.equal(renewed.response.status, 200);
const refused = await api.POST("/reports", { body: { url: "nonsense" } });
assert.equal(refused.error?.status, 422);

assert.equal((await api.DELETE("/reports/{id}", { params: { path } })).response.status, 204);
assert.equal((await api.DELETE("/projects/{project}", { params: { path: { project: "Spring" } } })).response.status, 204);
assert.equal((await api.GET("/reports/{id}", { params: { path } })).response.status, 404);
server.close();
server.closeAllConnections();
console.log("The client of openapi-typescript has taken the tour.");
