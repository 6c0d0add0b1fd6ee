using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

var policy = new X509ChainPolicy
{
    TrustMode = X509ChainTrustMode.CustomRootTrust,
    RevocationMode = X509RevocationMode.NoCheck,
};
policy.CustomTrustStore.ImportFromPemFile("/home/ada/Ada's files/weir-ca-bundle.pem");
var handler = new SocketsHttpHandler
{
    Proxy = new WebProxy("http://127.0.0.1:8686"),
    UseProxy = true,
    SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy },
};
using var client = new HttpClient(handler);
using var response = await client.GetAsync("https://example.com/anything?a=1&b=2");
Console.WriteLine((int)response.StatusCode);
