"""`wheelwork equations`"""

from pathlib import Path

PLANAR = """\
wheelwork: 1
kind: planar
name: pendulum
parameters: {length: 50 cm}
bodies:
  bob: {mass: 2 kg, inertia: 0.01, position: [length, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0]}
"""

EXPECTED = """\
A  hinge: revolute joint of ground and bob

   bob turns about an axis of ground.

   Φ₁ = x_bob + x′_bob,A cos φ_bob = 0
   Φ₂ = y_bob + x′_bob,A sin φ_bob = 0

   Φ_q   x_bob   y_bob   φ_bob
         1       0       −x′_bob,A sin φ_bob
         0       1       x′_bob,A cos φ_bob

   ν = 0

   γ₁ = x′_bob,A φ̇_bob² cos φ_bob
   γ₂ = x′_bob,A φ̇_bob² sin φ_bob

   with
   x′_bob,A = −length = −0.5 m
"""


def test_equations_of_a_planar_pendulum(wheelwork):
    Path("planar.yaml").write_text(PLANAR)
    done = wheelwork("equations", "planar.yaml")
    assert done.code == 0
    assert EXPECTED in done.out
    assert "   J_bob φ̈_bob − x′_bob,A (λ₁ sin φ_bob − λ₂ cos φ_bob) = 0\n" in done.out
    assert "   m_bob ÿ_bob + λ₂ = −m_bob g\n" in done.out


def test_options(wheelwork):
    Path("planar.yaml").write_text(PLANAR)
    done = wheelwork(
        "equations", "planar.yaml", "--numbers", "--short", "--set", "length=80cm", "--element", "hinge"
    )
    assert "Φ₁ = x₁ − 0.8 cos φ₁ = 0" in done.out
    assert "length" not in done.out
    assert wheelwork("equations", "planar.yaml", "--html", "p.html", "--latex", "p.tex").code == 0
    assert "<math" in Path("p.html").read_text("utf-8")
    assert r"\begin{document}" in Path("p.tex").read_text("utf-8")


def test_in_space(wheelwork):
    done = wheelwork("equations", "pendulum.yaml")
    assert "Φ_1–3 = p_b − p_a = 0" in done.out
    assert "γ_1–3 = ω_a × (ω_a × s_a) − ω_b × (ω_b × s_b)" in done.out
    assert "Φ₄    = e_x,a · e_z,b = 0" in done.out
    assert "x_bob + s_bob,A,x" in wheelwork("equations", "pendulum.yaml", "--full").out


def test_mistakes(wheelwork):
    done = wheelwork("equations", "pendulum.yaml", "--element", "hnge")
    assert (done.code, "did you mean `hinge`?" in done.err) == (2, True)
    done = wheelwork("equations", "pendulum.yaml", "--html", "nowhere/p.html")
    assert done.code == 2
    assert "nowhere" in done.err
