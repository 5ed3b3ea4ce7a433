// SPDX-License-Identifier: MIT
// ecs.remote: a world at which other programs may look, such as the page in a browser that docs/explorer.md
// shows. It speaks the protocol of the Flecs Explorer.
//
//   exchange      a request and its answer            names        how entities are called in them
//   answers       what answers which request          aliases      what Flecs calls what the library has
//   writing       entities as JSON                    expression   queries as clients write them
//   history       how the world was of late
//
//   server        the world's side of a network: poll answers what waits in the request_queue
//   listener      the network's side: threads of cpp-httplib that read requests;
//                 page.html is what they show at /
export module ecs.remote;
export import :exchange;
export import :history;
export import :answers;
export import :server;
// These export nothing; the language wants every interface partition exported.
export import :aliases;
export import :expression;
export import :listener;
export import :names;
export import :request_queue;
export import :writing;
