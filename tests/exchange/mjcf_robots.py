"""Robots in MJCF, written anew: the kinds of structures that people publish, without contact.

Nothing in them is taken from elsewhere but the features: classes of defaults, degrees and radians, five ways to turn a
frame, inertia from geoms of all kinds, several joints in one body, springs, motors, loops.
"""

# ruff: noqa: E501

ROBOTS = {
    "cart_pole": """
      <option gravity="0 0 -9.81"/>
      <default><joint damping="0.05"/><geom density="500"/></default>
      <worldbody><body name="cart" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0"/>
        <geom type="box" size="0.2 0.1 0.08"/>
        <body name="pole" euler="0 20 0"><joint name="pin" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 0.8"/></body>
      </body></worldbody>
      <actuator><motor name="push" joint="rail" gear="40"/></actuator>""",
    "hopper": """
      <compiler angle="radian"/>
      <worldbody><body name="torso" pos="0 0 1.2" quat="0.97 0 0.2 0">
        <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0.2 0 0 -0.2" size="0.05"/>
        <body name="thigh" pos="0 0 -0.2"><joint name="hip" axis="0 -1 0" damping="0.3"/><geom type="capsule" fromto="0 0 0 0.05 0 -0.4" size="0.05"/>
          <body name="leg" pos="0.05 0 -0.4"><joint name="knee" axis="0 -1 0"/><geom type="cylinder" size="0.04 0.25" pos="0 0 -0.25"/></body>
        </body></body></worldbody>""",
    "shoulder": """
      <compiler eulerseq="zyx"/>
      <worldbody><body name="clavicle" pos="0 0.1 1" euler="10 20 30"><joint name="up" axis="0 0 1"/>
        <geom type="ellipsoid" size="0.05 0.1 0.04" pos="0 0.1 0"/>
        <body name="arm" pos="0 0.2 0"><joint axis="1 0 0" pos="0 0 0"/><joint axis="0 0 1"/>
          <geom type="capsule" size="0.03 0.15" pos="0 0.15 0" euler="0 0 90"/><geom type="sphere" size="0.05" pos="0.02 0.3 0.01"/>
        </body></body></worldbody>""",
    "ball_chain": """
      <worldbody><body name="one" pos="0 0 1" axisangle="1 1 0 40"><joint type="ball"/><inertial pos="0.1 0.02 -0.2" mass="1.5" diaginertia="0.02 0.03 0.015" euler="0 30 0"/>
        <body name="two" pos="0.2 0 -0.4" xyaxes="0.6 0.8 0 -0.8 0.6 0"><joint type="ball"/><inertial pos="0 0 -0.15" mass="0.8" fullinertia="0.02 0.03 0.025 0.001 -0.002 0.003"/></body>
      </body></worldbody>""",
    "satellite": """
      <option gravity="0 0 0"/>
      <worldbody><body name="bus"><freejoint/><inertial pos="0.01 0 0" mass="20" diaginertia="1 1.5 2"/>
        <body name="wheel" pos="0.2 0 0" zaxis="1 0 0"><joint name="spin" axis="0 0 1"/><inertial pos="0 0 0" mass="0.5" diaginertia="0.002 0.002 0.004"/></body>
        <body name="panel" pos="0 0.5 0"><joint name="fold" axis="1 0 0" stiffness="2" springref="25" damping="0.1"/><inertial pos="0 0.4 0" mass="2" diaginertia="0.1 0.02 0.12"/></body>
      </body></worldbody>
      <actuator><motor name="torque" joint="spin"/></actuator>""",
    "four_bar": """
      <worldbody><body name="crank"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/>
        <body name="coupler" pos="0 0 0.2"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0.2" size="0.02"/></body></body>
      <body name="rocker" pos="0.5 0 0"><joint name="c" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.02"/></body></worldbody>
      <equality><connect name="d" body1="coupler" body2="rocker" anchor="0.5 0 0.2"/></equality>""",
    "crane": """
      <default><default class="steel"><geom density="7800"/><joint damping="0.2"/></default></default>
      <worldbody><body name="mast" childclass="steel"><joint name="turn"/><geom type="cylinder" fromto="0 0 0 0 0 2" size="0.05"/>
        <body name="boom" pos="0 0 2" euler="0 -20 0"><joint name="lift" axis="0 1 0" range="-50 50"/><geom type="box" fromto="0 0 0 1.5 0 0" size="0.04"/>
          <body name="jib" pos="1.5 0 0"><joint name="reach" type="slide" axis="1 0 0" stiffness="500"/><geom type="box" size="0.3 0.02 0.02"/><site name="hook" pos="0.3 0 0"/>
            <body name="load" pos="0.3 0 -0.5"><joint type="ball" pos="0 0 0.5" damping="0"/><geom type="sphere" size="0.05" class="main" density="7800"/></body>
      </body></body></body></worldbody>
      <actuator><position name="hold" joint="lift" kp="800" kv="60"/><velocity name="slew" joint="turn" kv="5"/></actuator>""",
    "welded": """
      <compiler settotalmass="12"/>
      <worldbody><body name="frame" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="box" size="0.1 0.2 0.02"/>
        <body name="bracket" pos="0.1 0 0" euler="0 0 45"><geom type="box" size="0.05 0.02 0.02"/><body name="lamp" pos="0.1 0 0"><geom type="sphere" size="0.04"/></body></body>
      </body></worldbody>""",
    "screwdriver": """
      <worldbody><body name="spindle" pos="0 0 0.5" euler="15 0 0"><joint name="feed" type="slide" axis="0 0 1" damping="3" stiffness="200"/><joint name="turn" axis="0 0 1" damping="0.01"/>
        <geom type="cylinder" size="0.02 0.1" density="7800"/><geom type="box" size="0.05 0.01 0.01" pos="0.03 0 0" density="7800"/></body></worldbody>""",
    "six_axes": """
      <compiler angle="radian"/>
      <default><joint axis="0 0 1" damping="0.4"/></default>
      <worldbody><body pos="0 0 0.2"><joint name="j1"/><geom type="cylinder" size="0.06 0.1"/>
        <body pos="0 0.05 0.1" euler="-1.5708 0.2 0"><joint name="j2"/><geom type="capsule" size="0.04" fromto="0 0 0 0.4 0 0"/>
          <body pos="0.4 0 0" euler="0 0 0.7"><joint name="j3"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0.3 0"/>
            <body pos="0 0.3 0" euler="-1.5708 0 0"><joint name="j4"/><geom type="cylinder" size="0.03 0.05"/>
              <body pos="0 0 0.1" euler="1.5708 0 0"><joint name="j5"/><geom type="ellipsoid" size="0.03 0.05 0.04"/>
                <body pos="0 0.08 0" euler="-1.5708 0 0"><joint name="j6"/><geom type="box" size="0.05 0.02 0.03" pos="0.02 0 0"/></body>
      </body></body></body></body></body></worldbody>""",
}  # fmt: skip


def mjcf(name):
    return f'<mujoco model="{name}">{ROBOTS[name]}\n</mujoco>\n'
