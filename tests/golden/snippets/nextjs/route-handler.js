// app/api/probe/route.js
export const dynamic = "force-dynamic";

export async function GET() {
  const response = await fetch("https://example.com/anything?a=1&b=2", { cache: "no-store" });
  return Response.json({ status: response.status });
}
