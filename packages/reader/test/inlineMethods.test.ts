/** Methods of an API that pages describe by tags of their own. */
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

const swagger = `{% swagger method="post" path="/users/{user\\_id}" baseUrl="https://api.example.com/v1" summary="Create a user" %}
{% swagger-description %}
Creates a **user**.
{% endswagger-description %}

{% swagger-parameter in="path" name="user\\_id" type="Integer" required="true" %}
The id of the user.
{% endswagger-parameter %}

{% swagger-parameter in="header" name="Authorization" type="String" %}
The token.
{% endswagger-parameter %}

{% swagger-parameter in="body" name="email" type="String" required="true" %}
The address.
{% endswagger-parameter %}

{% swagger-response status="200: OK" description="Created" %}
\`\`\`javascript
{ "id": 7 }
\`\`\`
{% endswagger-response %}

{% swagger-response status="400" description="Rejected" %}
\`\`\`
no JSON
\`\`\`
{% endswagger-response %}
{% endswagger %}
`

const older = `{% api-method method="get" host="https://api.example.com" path="/fences" %}
{% api-method-summary %}
List fences
{% endapi-method-summary %}

{% api-method-description %}
Lists **all** fences.
{% endapi-method-description %}

{% api-method-spec %}
{% api-method-request %}
{% api-method-query-parameters %}
{% api-method-parameter name="limit" type="integer" required=false %}
The number of fences.
{% endapi-method-parameter %}
{% endapi-method-query-parameters %}
{% endapi-method-request %}

{% api-method-response %}
{% api-method-response-example httpCode=200 %}
{% api-method-response-example-description %}
All fences.
{% endapi-method-response-example-description %}

\`\`\`
{ "fences": [] }
\`\`\`
{% endapi-method-response-example %}
{% endapi-method-response %}
{% endapi-method-spec %}
{% endapi-method %}
`

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

describe("a method that tags describe", () => {
  it("is displayed as an operation, with its parameters, its body, its responses and samples", async () => {
    const { content, origins } = await renderMarkdown(`Before.\n\n${swagger}\nAfter.\n`)
    const text = textOf(content.text)
    for (const part of [
      "Create a user",
      "Creates a user .",
      "/users/ {user_id}",
      "200 Created application/json object",
      "user_id",
      "The id of the user.",
      "Authorization",
      "email",
      "The address.",
      "Created",
      "Rejected",
      "no JSON",
      "curl"
    ]) {
      expect(text).toContain(part)
    }
    expect(content.text).toContain("https://api.example.com/v1/users/")
    // Links refer to a method by its title.
    expect(content.text).toContain('id="create-a-user"')
    expect(text).toMatch(/&quot;id&quot;\s*: 7/)
    expect(origins).toEqual(["https://api.example.com"])
    expect(text.indexOf("Before.")).toBeLessThan(text.indexOf("Create a user"))
    expect(text.indexOf("After.")).toBeGreaterThan(text.indexOf("Rejected"))
    expect(text).not.toContain("swagger")
  })

  it("is displayed for the older tags, too", async () => {
    const text = textOf((await renderMarkdown(older)).content.text)
    for (const part of [
      "List fences",
      "Lists all fences.",
      "/fences",
      "limit",
      "The number of fences.",
      "All fences."
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain("api-method")
  })

  it("that is not closed shows the text within", async () => {
    const text = textOf((await renderMarkdown(swagger.replace("{% endswagger %}\n", ""))).content.text)
    expect(text).toContain("The address.")
  })

  it("can be within a tab, and several can follow each other", async () => {
    const { content } = await renderMarkdown(
      `{% tabs %}\n{% tab title="One" %}\n${swagger}\n${older}\n{% endtab %}\n{% endtabs %}\n`
    )
    expect(textOf(content.text)).toContain("Create a user")
    expect(textOf(content.text)).toContain("List fences")
  })
})
