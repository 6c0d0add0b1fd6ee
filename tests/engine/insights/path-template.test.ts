import * as assert from "uvu/assert";
import { groupedEndpoint, groupingOfferOf, templateOf } from "../../../src/engine/insights/path-template.ts";
import { endpointOf } from "../../../src/engine/model/endpoint.ts";
import { describe } from "../../support/describe.ts";

describe("path templates", (test) => {
  test("numbers, UUIDs, ULIDs and hex of 16 digits and more are folded into {id}", () => {
    const table: Record<string, string> = {
      "/orders/17": "/orders/{id}",
      "/orders/17/items/00042": "/orders/{id}/items/{id}",
      "/users/550e8400-e29b-41d4-a716-446655440000/x": "/users/{id}/x",
      "/users/550E8400-E29B-41D4-A716-446655440000": "/users/{id}",
      "/users/01234567-89ab-cdef-0123-456789abcdef/x": "/users/{id}/x",
      "/users/fedcba98-7654-3210-fedc-ba9876543210": "/users/{id}",
      "/users/89abcdef-cdef-89ab-4567-cdef01234567": "/users/{id}",
      "/events/01ARZ3NDEKTSV4RRFFQ69G5FAV": "/events/{id}",
      "/events/70123456789abcdefghjkmnpqr": "/events/{id}",
      "/events/3stvwxyz0123456789abcdefgh": "/events/{id}",
      "/blobs/0123456789abcdef": "/blobs/{id}",
      "/commits/da39a3ee5e6b4b0d3255bfef95601890afd80709": "/commits/{id}",
    };
    for (const [path, template] of Object.entries(table)) assert.is(templateOf(path), template);
  });

  test("what is none of these stays literal", () => {
    for (const path of [
      "/",
      "//",
      "/orders",
      "/v2/orders",
      "/orders/17a",
      "/orders/1.5",
      "/orders/-1",
      "/x/0123456789abcde",
      "/x/0123456789abcdeg",
      "/x/81ARZ3NDEKTSV4RRFFQ69G5FAV",
      "/x/01ARZ3NDEKTSV4RRFFQ69G5FAI",
      "/x/550e8400e29b-41d4-a716-446655440000",
    ])
      assert.is(templateOf(path), path);
  });

  test("method and origin of an endpoint stay as they are", () => {
    const endpoint = endpointOf("GET", "http://127.0.0.1:8080", "/orders/17");
    assert.is(groupedEndpoint(endpoint), "GET http://127.0.0.1:8080/orders/{id}");
  });

  test("from 20 collecting endpoints of one template on grouping is offered", () => {
    assert.is(groupingOfferOf([]), null);
    assert.is(groupingOfferOf([19, 19]), null);
    assert.equal(groupingOfferOf([20, 30, 3]), { paths: 50, templates: 2 });
  });
});
